"""What a command started."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace

import pytest

from agent_tui.machine.processes import (
    MARK,
    Process,
    end_command,
    end_processes,
    is_alive,
    live_processes,
    of_command,
    reap,
)
from tests.machine.alive import gone, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Commands to be ended whatever happens."""
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for process in found:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def start(started: list[subprocess.Popen[bytes]], line: str, mark: str) -> subprocess.Popen[bytes]:
    """Start a line, and wait until it says that it has begun."""
    process = subprocess.Popen(
        ["bash", "-c", f"{line} & echo begun; wait"],
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, MARK: mark},
    )
    started.append(process)
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    return process


def test_this_process_is_among_the_live_ones() -> None:
    me = next(process for process in live_processes() if process.pid == os.getpid())
    assert me.parent == os.getppid()
    assert "python" in me.command or "pytest" in me.command
    assert is_alive(me)
    assert not is_alive(replace(me, started=me.started - 1))
    assert replace(me, pid=2**22 + 1).command == ""


async def test_children_are_found_in_and_out_of_the_session(
    started: list[subprocess.Popen[bytes]],
) -> None:
    process = start(started, "setsid sleep 3031 & env -i sleep 3032", "m1")
    found: tuple[Process, ...] = ()
    for _ in range(200):
        found = of_command("m1", process.pid)
        if {"sleep 3031", "sleep 3032"} <= {one.command for one in found}:
            break
        os.sched_yield()
    assert {"sleep 3031", "sleep 3032"} <= {one.command for one in found}
    assert os.getpid() not in {one.pid for one in found}
    assert of_command("m2", -1) == ()
    await end_command("m1", process.pid)
    assert await gone("sleep 303")


async def test_what_ignores_being_asked_is_killed(started: list[subprocess.Popen[bytes]]) -> None:
    process = start(started, "trap '' TERM; sleep 3041", "m3")
    targets = of_command("m3", process.pid)
    assert targets
    await end_processes(targets)
    assert not running("sleep 3041")


def test_strangers_are_not_reaped(started: list[subprocess.Popen[bytes]]) -> None:
    process = start(started, "sleep 3051", "m4")
    reap(one for one in live_processes() if one.pid in (1, os.getppid()))
    assert process.poll() is None
