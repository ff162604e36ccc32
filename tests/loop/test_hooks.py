from __future__ import annotations

import pytest

from agent_tui.loop.hooks import Hooks, NoHooks
from agent_tui.protocol.hooks import HookOutcome

pytestmark = pytest.mark.anyio


async def test_without_hooks_everything_goes_its_way() -> None:
    hooks: Hooks = NoHooks()
    assert await hooks.fire("PreToolUse", {"tool_name": "Bash"}, match="Bash") == HookOutcome()
    assert await hooks.fire("Stop") == HookOutcome()
