"""One command while it runs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import anyio
import pytest

from agent_tui.machine import running as module
from agent_tui.machine.capture import Capture
from agent_tui.machine.running import Running
from agent_tui.protocol.ports import Captured
from tests.machine.alive import NAP, gone

pytestmark = pytest.mark.anyio


async def start(line: str, spill: Path) -> Running:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    process = await anyio.open_process(
        ["bash", "-c", line], stdin=subprocess.DEVNULL, stdout=writer, start_new_session=True
    )
    os.close(writer)
    return Running(process, reader, "none", Capture(spill / "f", 1_000))


def close(running: Running) -> str:
    """Let go of the pipe and the file, and give the output."""
    running.close()
    return running._capture.finish().head  # pyright: ignore[reportPrivateUsage]


async def quiet(_: Captured) -> None:
    """Tell nobody."""


async def test_the_output_is_told_as_it_comes_and_no_more_often_than_it_should(
    tmp_path: Path,
) -> None:
    told: list[Captured] = []

    async def tell(output: Captured) -> None:
        told.append(output)

    running = await start("for i in $(seq 40); do echo $i; sleep 0.01; done", tmp_path)
    begun = anyio.current_time()
    assert await running.follow(10, tell) == ""
    took = anyio.current_time() - begun
    running.close()
    assert running.exit_code == 0
    assert running.at_end
    assert 2 <= len(told) <= took / module.BETWEEN_TELLS + 2
    assert told[0].total_bytes < told[-1].total_bytes


async def test_endless_output_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_OUTPUT_BYTES", 1_000_000)
    running = await start("yes", tmp_path)
    assert await running.follow(30, quiet) == "output"
    close(running)
    assert running.exit_code < 0


async def test_a_pipe_that_is_still_held_is_emptied_elsewhere(tmp_path: Path) -> None:
    running = await start(f"({NAP}61; yes) & echo begun", tmp_path)
    assert await running.follow(10, quiet) == ""
    assert not running.at_end
    left = await running.left()
    assert any(process.command == f"{NAP}61" for process in left)
    sink = await running.drain_elsewhere()
    close(running)
    assert sink.returncode is None
    await running_end(running)
    with anyio.fail_after(5):
        assert await sink.wait() == 0  # it saw the end of the pipe


async def running_end(running: Running) -> None:
    await module.end_command(running.mark, running.process.pid)
    assert await gone(f"{NAP}61")


async def test_ending_takes_the_last_output(tmp_path: Path) -> None:
    running = await start(
        "trap 'echo bye; exit' TERM; echo one; while :; do sleep 0.01; done", tmp_path
    )
    await anyio.wait_readable(running.reader)
    await running.end()
    assert close(running) == "one\nbye\n"
