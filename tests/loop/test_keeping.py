from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from agent_tui.loop.keeping import keeping
from agent_tui.machine.files import digest_of
from agent_tui.machine.world import real_ports
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import Captured, Seen, ShellCommand
from agent_tui.settings.paths import Environment
from tests.loop.test_file_history import Scene

pytestmark = pytest.mark.anyio


async def quiet(output: Captured) -> None:
    """Nobody listens."""


def nothing(line: str, cwd: str) -> dict[str, bool]:
    """No line names anything."""
    return {}


def command(line: str, folder: Path) -> ShellCommand:
    return ShellCommand(line, 60_000, "c", str(folder / "spill"), (str(folder),))


async def test_files_are_what_they_are_and_their_writes_can_be_taken_back(tmp_path: Path) -> None:
    scene, file = Scene(tmp_path), tmp_path / "f"
    file.write_text("one")
    (tmp_path / "link").symlink_to("f")
    ports = keeping(real_ports(Environment({}, tmp_path), tmp_path), scene.history, nothing)
    assert (await ports.files.read(str(file))).data == b"one"
    assert await ports.files.find(str(tmp_path / "none")) is None
    ports.files.remember(str(file), Seen("x", 1))
    assert ports.files.recall(str(file)) == Seen("x", 1)
    assert list(ports.files.seen()) == [str(file)]
    await ports.files.write(str(tmp_path / "link"), b"two", replaces=digest_of(b"one"))
    assert file.read_text() == "two"
    assert [(line.path, line.kept) for line in scene.lines] == [(str(file), True)]
    with pytest.raises(PortError):
        await ports.files.write(str(file), b"three", replaces=digest_of(b"one"))
    await ports.shell.aclose()


async def test_a_line_is_noted_before_and_after_also_when_it_is_cut(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    world = real_ports(Environment({"PATH": "/usr/bin:/bin"}, tmp_path), tmp_path)
    asked: list[tuple[str, str]] = []

    def named(line: str, cwd: str) -> dict[str, bool]:
        asked.append((line, cwd))
        return {} if line == "true" else {str(tmp_path / "out"): False}

    ports = keeping(world, scene.history, named)
    assert ports.shell.cwd == str(tmp_path)
    await ports.shell.run(command("true", tmp_path), quiet)
    assert scene.lines == []
    await ports.shell.run(command("echo hi > out", tmp_path), quiet)
    assert asked[-1] == ("echo hi > out", str(tmp_path))
    assert [line.after is None for line in scene.lines] == [True, False]

    async def stop_when_written(output: Captured) -> None:
        if "ready" in output.head:
            group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        line = "echo more >> out; echo ready; sleep 60"
        await ports.shell.run(command(line, tmp_path), stop_when_written)
    assert [line.after is None for line in scene.lines] == [True, False, True, False]
    await ports.shell.aclose()


async def test_without_a_history_the_world_is_as_it_is(tmp_path: Path) -> None:
    ports = real_ports(Environment({}, tmp_path), tmp_path)
    assert keeping(ports, None, nothing) is ports
