"""One command while it runs: its output read, its limits kept, its end seen to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Coroutine
from typing import Any, Literal

import anyio
from anyio import to_thread
from anyio.abc import Process as AsyncProcess

from agent_tui.machine.capture import Capture
from agent_tui.machine.environment import BARE
from agent_tui.machine.processes import Process, end_command, group_is_left, is_alive, of_command
from agent_tui.protocol.ports import OnOutput

DRAIN = 0.15
"""Seconds for the last output after the shell has ended; a background child may hold the pipe for ever."""

CLEAN_UP = 2.0
"""Seconds that ending a command may take."""

ABOUT_TO_END = 0.05
"""Seconds that something which has closed its output may still take to end."""

MAX_OUTPUT_BYTES = 5 * 1024**3
BETWEEN_TELLS = 0.1


class Running:
    """One command while it runs."""

    def __init__(self, process: AsyncProcess, reader: int, mark: str, capture: Capture) -> None:
        self.process = process
        self.reader = reader
        self.mark = mark
        self.at_end = False
        self._capture = capture
        self._flooded = anyio.Event()
        self._end_of_output = anyio.Event()

    @property
    def exit_code(self) -> int:
        """How it ended; a signal is negative."""
        code = self.process.returncode
        return -9 if code is None else code

    async def follow(
        self,
        seconds: float,
        on_output: OnOutput,
        beside: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> Literal["", "timeout", "output"]:
        """Read the output until the command has ended, or end it at a limit. Gives who ended it.

        ``beside`` is done meanwhile, and cancelled at the end.
        """
        stopped: Literal["", "timeout", "output"] = ""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._read)
            tasks.start_soon(self._tell, on_output)
            if beside is not None:
                tasks.start_soon(beside)
            stopped = await self._wait(seconds)
            if stopped:
                with anyio.move_on_after(CLEAN_UP):
                    await end_command(self.mark, self.process.pid)
                    await self.process.wait()
            with anyio.move_on_after(DRAIN):
                await self._end_of_output.wait()
            tasks.cancel_scope.cancel()
        return stopped

    async def end(self) -> None:
        """End all of it and take the last of its output."""
        await end_command(self.mark, self.process.pid)
        await self.process.wait()
        for _ in range(16):
            if not (chunk := self._take()):
                break
            self._capture.feed_now(chunk)

    async def left(self) -> tuple[Process, ...]:
        """Find what it left running; what is just about to end doesn't count."""
        left = await to_thread.run_sync(of_command, self.mark, self.process.pid)
        if left and self.at_end:
            with anyio.move_on_after(ABOUT_TO_END):
                while any(map(is_alive, left)):  # noqa: ASYNC110 - of a stranger's child no event tells
                    await anyio.sleep(ABOUT_TO_END / 10)
            left = tuple(process for process in left if is_alive(process))
        return left

    async def end_left(self) -> None:
        """End what it left running when its own process had ended."""
        if await self.left() or group_is_left(self.process.pid):
            await end_command(self.mark, self.process.pid)

    async def drain_elsewhere(self) -> AsyncProcess:
        """Have the rest of the output thrown away by a process of its own."""
        os.set_blocking(self.reader, True)
        return await anyio.open_process(
            ["cat"],
            env=BARE,
            stdin=self.reader,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def close(self) -> None:
        """Let go of the pipe."""
        os.close(self.reader)

    async def _wait(self, seconds: float) -> Literal["", "timeout", "output"]:
        flooded = False
        with anyio.move_on_after(seconds) as limit:
            async with anyio.create_task_group() as tasks:

                async def watch() -> None:
                    nonlocal flooded
                    await self._flooded.wait()
                    flooded = True
                    tasks.cancel_scope.cancel()

                tasks.start_soon(watch)
                await self.process.wait()
                tasks.cancel_scope.cancel()
        if flooded:
            return "output"
        return "timeout" if limit.cancelled_caught else ""

    async def _read(self) -> None:
        while True:
            chunk = self._take()
            if chunk is None:
                await anyio.wait_readable(self.reader)
                continue
            if not chunk:
                break
            await self._capture.feed(chunk)
            if self._capture.total > MAX_OUTPUT_BYTES:
                self._flooded.set()
            await anyio.lowlevel.checkpoint()  # a flood must not starve the time limit
        self.at_end = True
        self._end_of_output.set()

    def _take(self) -> bytes | None:
        """Take what is in the pipe: None when there is nothing yet, empty at its end."""
        try:
            return os.read(self.reader, 65_536)
        except BlockingIOError:
            return None

    async def _tell(self, on_output: OnOutput) -> None:
        told = 0
        while True:
            if self._capture.total == told:
                await self._capture.changed.wait()
            told = self._capture.total
            await on_output(self._capture.so_far())
            await anyio.sleep(BETWEEN_TELLS)
