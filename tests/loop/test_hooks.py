from __future__ import annotations

import pytest

from agent_tui.loop.hooks import Hooks, NoHooks, PromptVerdict, StopVerdict
from agent_tui.protocol.requests import HookDecision

pytestmark = pytest.mark.anyio


async def test_without_hooks_everything_goes_its_way() -> None:
    hooks: Hooks = NoHooks()
    assert await hooks.pre_tool_use("Bash", {"command": "ls"}, "t1") == HookDecision()
    assert await hooks.post_tool_use("Bash", {}, "t1", "out", failed=False) == ()
    assert await hooks.user_prompt_submit("hi") == PromptVerdict((), None)
    assert await hooks.stop(already_blocked=False) == StopVerdict(None)
    await hooks.pre_compact("auto", "")


async def test_a_decision_that_says_nothing_changes_nothing() -> None:
    decision = await NoHooks().pre_tool_use("Bash", {}, "t1")
    assert decision.behavior is None
    assert decision.updated_input is None
    assert decision.additional_context == ()
