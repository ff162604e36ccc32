from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.loop.workplace import Workplace, in_sandbox
from agent_tui.machine.world import real_ports
from agent_tui.protocol.access import NoAccess, RunCommand
from agent_tui.settings.paths import Environment
from agent_tui.tools.builtin.bash import Bash
from tests.fakes.sandbox import FakeSandbox
from tests.loop.stage import FakeTool


def test_a_shell_line_is_judged_where_the_shell_is(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    place = Workplace(real_ports(Environment({}, tmp_path), inner), tmp_path, tmp_path)
    bash = Bash()
    access = place.access(bash, bash.parse({"command": "ls"}))
    assert access == RunCommand("ls", str(inner))
    assert place.access(FakeTool("Look", read_only=True), {}) == NoAccess()


@pytest.mark.parametrize(
    ("sandbox", "asks", "judged"),
    [
        (None, False, RunCommand("make", "/")),
        (None, True, RunCommand("make", "/")),
        (FakeSandbox(), False, RunCommand("make", "/", sandboxed=True, unasked=True)),
        (FakeSandbox(unasked=False), False, RunCommand("make", "/", sandboxed=True)),
        (FakeSandbox(), True, RunCommand("make", "/", leaves=True)),
        (FakeSandbox(may_leave=False), True, RunCommand("make", "/", sandboxed=True, unasked=True)),
        (FakeSandbox(outside=("make",)), False, RunCommand("make", "/")),
        (FakeSandbox(outside=("make",)), True, RunCommand("make", "/")),
    ],
)
def test_a_shell_line_is_judged_by_where_it_will_run(
    sandbox: FakeSandbox | None, asks: bool, judged: RunCommand
) -> None:
    assert in_sandbox(RunCommand("make", "/", leaves=asks), sandbox) == judged


def test_the_place_asks_the_sandbox_that_its_commands_run_in(tmp_path: Path) -> None:
    ports = real_ports(Environment({}, tmp_path), tmp_path, sandbox=FakeSandbox())
    place = Workplace(ports, tmp_path, tmp_path)
    bash = Bash()
    args = bash.parse({"command": "make", "dangerouslyDisableSandbox": True})
    assert place.access(bash, args) == RunCommand("make", str(tmp_path), leaves=True)
