from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from agent_tui.tui.ending import SIGNALS, EndingBySignal


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_has_the_loop_leave_with_its_code(number: int) -> None:
    before = signal.getsignal(number)
    left: list[int] = []

    async def run() -> None:
        done = asyncio.Event()

        def leave(code: int) -> None:
            left.append(code)
            done.set()

        with EndingBySignal(leave, lambda: left.append(-1)):
            os.kill(os.getpid(), number)
            await asyncio.wait_for(done.wait(), 5)

    asyncio.run(run())
    assert left == [128 + number]
    assert signal.getsignal(number) == before


def test_a_program_that_hangs_is_ended_by_force_with_the_terminal_given_back() -> None:
    hanging = (
        "import asyncio, os, signal\n"
        "from agent_tui.tui.ending import EndingBySignal\n"
        "async def run():\n"
        "    with EndingBySignal(print, lambda: os.write(1, b'given back'), stuck=0.2):\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        while True: pass\n"
        "asyncio.run(run())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", hanging], capture_output=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout) == (143, b"given back")
