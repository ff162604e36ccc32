"""Standard input, line by line, without a thread that would keep the program from leaving."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import anyio
import anyio.to_thread

CHUNK = 1 << 16

MAX_LINE = 256 * 1024 * 1024
"""Bytes of one line; what a longer one holds beyond them is thrown away, so that it can't be read and is told so."""


class InputLines:
    """Gives the lines of a file descriptor, without their LF, the last one also when it lacks one.

    Async-iterable; pipes, sockets and terminals are waited for by the event loop, plain files are simply read.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lines: list[bytes] = []
        self._rest: list[bytes] = []
        self._room = MAX_LINE
        self._waits = True
        self._over = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while not self._lines:
            if self._over:
                raise StopAsyncIteration
            self._take(await self._chunk())
        return self._lines.pop()

    async def _chunk(self) -> bytes:
        if self._waits:
            try:
                await anyio.wait_readable(self._fd)
            except OSError:  # a plain file can't be waited for, and need not be
                self._waits = False
        if self._waits:
            return os.read(self._fd, CHUNK)
        return await anyio.to_thread.run_sync(os.read, self._fd, CHUNK)

    def _take(self, chunk: bytes) -> None:
        head, *others = chunk.split(b"\n")
        if self._room > 0:
            self._rest.append(head)
            self._room -= len(head)
        if others:
            first = b"".join(self._rest)
            self._rest = [others.pop()]
            self._room = MAX_LINE - len(self._rest[0])
            self._lines = [first, *others][::-1]
        elif not chunk:
            self._over = True
            last = b"".join(self._rest)
            self._lines = [last] if last else []
