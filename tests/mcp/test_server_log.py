"""What a server says on its standard error, in its log."""

from __future__ import annotations

import os
from pathlib import Path

import anyio
import pytest

from agent_tui.mcp.server_log import MAX_LINE, ServerLog
from agent_tui.protocol.masking import Masker

pytestmark = pytest.mark.anyio


class Said:
    """A stream of these chunks."""

    def __init__(self, *chunks: bytes) -> None:
        self._chunks = list(chunks)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        if not self._chunks:
            raise anyio.EndOfStream
        return self._chunks.pop(0)

    async def aclose(self) -> None:
        self._chunks.clear()

    def __aiter__(self) -> Said:
        return self

    async def __anext__(self) -> bytes:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


async def kept(folder: Path, *chunks: bytes) -> str:
    path = folder / "log"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    log = ServerLog(handle, Masker.knowing(["plum-key-1"]))
    await log.keep(Said(*chunks))  # pyright: ignore[reportArgumentType]
    os.close(handle)
    assert log.ended.is_set()
    return path.read_text()


async def test_secrets_are_hidden_though_they_come_in_pieces(tmp_path: Path) -> None:
    text = await kept(tmp_path, b"started\r\nTOKEN=abc1", b"23def456\nkey plum-", b"key-1 end")
    assert text == "started\nTOKEN=[masked]\nkey [masked] end\n"


async def test_it_drives_no_terminal_that_shows_it(tmp_path: Path) -> None:
    text = await kept(tmp_path, b"a\x1b]0;t\x07b\x9b\xff\tc \xe2\x80\xae\n")
    assert text == "a\ufffd]0;t\ufffdb\\x9b\\xff\tc \ufffd\n"


async def test_a_line_without_end_is_written_in_pieces(tmp_path: Path) -> None:
    text = await kept(tmp_path, b"x" * MAX_LINE, b"x", b"end")
    assert text == "x" * (MAX_LINE + 1) + "\nend\n"


async def test_without_a_file_it_is_read_and_lost() -> None:
    log = ServerLog(None, Masker())
    await log.keep(Said(b"line\n", b"rest"))  # pyright: ignore[reportArgumentType]
    assert log.ended.is_set()
