from __future__ import annotations

from pathlib import Path

from agent_tui.loop.workplace import Workplace
from agent_tui.machine.world import real_ports
from agent_tui.protocol.access import NoAccess, RunCommand
from agent_tui.settings.paths import Environment
from agent_tui.tools.builtin.bash import Bash
from tests.loop.stage import FakeTool


def test_a_shell_line_is_judged_where_the_shell_is(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    place = Workplace(real_ports(Environment({}, tmp_path), inner), tmp_path, tmp_path)
    bash = Bash()
    access = place.access(bash, bash.parse({"command": "ls"}))
    assert access == RunCommand("ls", str(inner))
    assert place.access(FakeTool("Look", read_only=True), {}) == NoAccess()
