"""Lines over a socket: split what arrives at LF, whatever its length."""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
from anyio.abc import ByteReceiveStream

CHUNK = 1 << 16


class LineReader:
    """Gives the lines of a byte stream, without their LF; an unfinished last line is dropped.

    Async-iterable; ends at end of file, when the stream breaks, or at a line of more than ``limit`` bytes.
    """

    def __init__(self, stream: ByteReceiveStream, limit: int | None = None) -> None:
        self._stream = stream
        self._limit = limit
        self._lines: list[bytes] = []
        self._rest: list[bytes] = []

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while not self._lines:
            try:
                chunk = await self._stream.receive(CHUNK)
            except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
                raise StopAsyncIteration from None
            self._take(chunk)
            if self._limit is not None and sum(map(len, self._rest)) > self._limit:
                raise StopAsyncIteration
        return self._lines.pop()

    def _take(self, chunk: bytes) -> None:
        head, *others = chunk.split(b"\n")
        self._rest.append(head)
        if others:
            first = b"".join(self._rest)
            self._rest = [others.pop()]
            self._lines = [first, *others][::-1]
