"""All ports in one piece."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.machine.world import real_ports
from agent_tui.protocol.ports import Captured, ShellCommand
from agent_tui.settings.paths import Environment


@pytest.mark.anyio
async def test_the_ports_share_limits_and_folder(tmp_path: Path) -> None:
    env = Environment({"BASH_MAX_OUTPUT_LENGTH": "100", "PATH": "/usr/bin:/bin"}, tmp_path)
    ports = real_ports(env, tmp_path, {"CLAUDE_CODE_SESSION_ID": "s1"})
    assert ports.limits.shell_output_chars == 100
    assert ports.shell.cwd == str(tmp_path)
    seen: list[Captured] = []

    async def tell(output: Captured) -> None:
        seen.append(output)

    command = ShellCommand("echo $CLAUDE_CODE_SESSION_ID; seq 100", 5_000, "c", str(tmp_path), ())
    result = await ports.shell.run(command, tell)
    await ports.shell.aclose()
    assert result.output.head.startswith("s1\n1\n")
    assert result.output.path == str(tmp_path / "c.txt")
    assert seen[-1] == result.output
