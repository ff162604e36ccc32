"""The permission mode, as tools change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.loop.modes import SessionModes
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.messages import PermissionMode
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio


async def test_a_tool_sees_and_changes_the_mode(tmp_path: Path) -> None:
    stage = Stage(tmp_path, mode="plan")
    changed: list[str] = []

    async def change(mode: PermissionMode) -> None:
        changed.append(mode)
        stage.policy.mode = mode

    modes = SessionModes(stage.policy, change)
    assert modes.mode == "plan"
    await modes.set_mode("default")
    assert (modes.mode, changed) == ("default", ["default"])
    with pytest.raises(PortError, match="no permission mode 'wild'"):
        await modes.set_mode("wild")
    assert changed == ["default"]
