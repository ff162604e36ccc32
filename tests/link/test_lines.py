from __future__ import annotations

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.link.lines import LineReader


class Chunks:
    """A byte stream that gives what it was given, then ends (or breaks)."""

    def __init__(self, chunks: list[bytes], end: type[Exception] = anyio.EndOfStream) -> None:
        self._chunks = chunks[::-1]
        self._end = end

    async def receive(self, max_bytes: int = 65536) -> bytes:
        if not self._chunks:
            raise self._end
        return self._chunks.pop()

    async def aclose(self) -> None: ...


async def read(chunks: list[bytes], end: type[Exception] = anyio.EndOfStream) -> list[bytes]:
    return [line async for line in LineReader(Chunks(chunks, end))]  # pyright: ignore[reportArgumentType]


@given(st.lists(st.binary(max_size=5).filter(lambda b: b"\n" not in b), max_size=6), st.data())
def test_lines_come_whole_however_they_arrive(lines: list[bytes], data: st.DataObject) -> None:
    raw = b"".join(line + b"\n" for line in lines)
    chunks: list[bytes] = []
    while raw:
        size = data.draw(st.integers(1, len(raw)))
        chunks.append(raw[:size])
        raw = raw[size:]
    assert anyio.run(read, chunks) == lines


@pytest.mark.parametrize(
    "end", [anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError]
)
def test_an_unfinished_last_line_is_dropped(end: type[Exception]) -> None:
    assert anyio.run(read, [b"one\ntw", b"o\nthr"], end) == [b"one", b"two"]


def test_a_line_that_has_no_end_ends_the_reading() -> None:
    async def limited() -> list[bytes]:
        stream = Chunks([b"ok\n", b"x" * 6, b"x" * 6, b"\nmore\n"])
        return [line async for line in LineReader(stream, limit=10)]  # pyright: ignore[reportArgumentType]

    assert anyio.run(limited) == [b"ok"]
