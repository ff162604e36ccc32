from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from agent_tui.headless import stdin
from agent_tui.headless.stdin import InputLines

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> Iterator[list[int]]:
    ends = list(os.pipe())
    yield ends
    for fd in ends:
        if fd >= 0:
            os.close(fd)


async def all_of(fd: int) -> list[bytes]:
    return [line async for line in InputLines(fd)]


async def test_lines_of_a_pipe_come_as_they_are_written(pipe: list[int]) -> None:
    lines = InputLines(pipe[0])
    os.write(pipe[1], b"one\ntw")
    assert await anext(lines) == b"one"
    os.write(pipe[1], b"o\n\nthree")
    assert (await anext(lines), await anext(lines)) == (b"two", b"")
    os.close(pipe[1])
    pipe[1] = -1
    assert await anext(lines) == b"three"
    with pytest.raises(StopAsyncIteration):
        await anext(lines)
    with pytest.raises(StopAsyncIteration):
        await anext(lines)


async def test_waiting_for_a_silent_pipe_can_be_cancelled(pipe: list[int]) -> None:
    lines = InputLines(pipe[0])
    with anyio.move_on_after(0.05) as limit:
        await anext(lines)
    assert limit.cancelled_caught
    os.write(pipe[1], b"late\n")
    assert await anext(lines) == b"late"


async def test_a_plain_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_bytes(b"a\n" + b"b" * 200_000 + b"\nc\n")
    fd = os.open(path, os.O_RDONLY)
    assert await all_of(fd) == [b"a", b"b" * 200_000, b"c"]
    os.close(fd)


async def test_nothing_is_no_line() -> None:
    fd = os.open(os.devnull, os.O_RDONLY)
    assert await all_of(fd) == []
    os.close(fd)


async def test_a_socket_will_do() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"x\ny\n")
        theirs.shutdown(socket.SHUT_WR)
        assert await all_of(ours.fileno()) == [b"x", b"y"]


async def test_of_a_line_without_end_only_so_much_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdin, "MAX_LINE", 150_000)
    path = tmp_path / "in"
    path.write_bytes(b"x" * 1_000_000 + b"\nshort\n" + b"y" * 140_000)
    fd = os.open(path, os.O_RDONLY)
    first, second, last = await all_of(fd)
    os.close(fd)
    assert 150_000 <= len(first) < 300_000
    assert (second, last) == (b"short", b"y" * 140_000)
