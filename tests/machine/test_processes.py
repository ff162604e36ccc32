"""What a command started."""

from __future__ import annotations

import contextlib
import os
import signal
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
from tests.machine.alive import NAP, gone, running

pytestmark = pytest.mark.anyio

MARKED = str(os.getpid())


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Commands to be ended whatever happens."""
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for process in found:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
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
    process = start(started, f"setsid {NAP}31 & env -i {NAP}32", MARKED + "m1")
    found: tuple[Process, ...] = ()
    for _ in range(200):
        found = of_command(MARKED + "m1", process.pid)
        if {f"{NAP}31", f"{NAP}32"} <= {one.command for one in found}:
            break
        os.sched_yield()
    assert {f"{NAP}31", f"{NAP}32"} <= {one.command for one in found}
    assert os.getpid() not in {one.pid for one in found}
    assert of_command(MARKED + "m2", -1) == ()
    await end_command(MARKED + "m1", process.pid)
    assert await gone(f"{NAP}3")


async def test_what_ignores_being_asked_is_killed(started: list[subprocess.Popen[bytes]]) -> None:
    process = start(started, f"trap '' TERM; {NAP}41", MARKED + "m3")
    targets = of_command(MARKED + "m3", process.pid)
    assert targets
    await end_processes(targets)
    assert not running(f"{NAP}41")


def test_strangers_are_not_reaped(started: list[subprocess.Popen[bytes]]) -> None:
    process = start(started, f"{NAP}51", MARKED + "m4")
    reap(one for one in live_processes() if one.pid in (1, os.getppid()))
    assert process.poll() is None
