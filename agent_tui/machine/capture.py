"""The output of a command in bounded memory: its beginning, its end, its size, and a file with all of it."""

from __future__ import annotations

import codecs
import contextlib
import os
from pathlib import Path
from typing import BinaryIO

import anyio
from anyio import to_thread

from agent_tui.protocol.ports import Captured
from agent_tui.settings.private import make_private_folder

TAIL_BYTES = 64 * 1024
FILE_BYTES = 64 * 1024 * 1024


class Capture:
    """Takes chunks of bytes, gives ``Captured``.

    A file is written as soon as there are more bytes than ``limit`` characters could be made of, and removed again if
    the text turns out to fit. ``changed`` is set, and replaced by a new event, when something has come.
    ``keep_file``: everything goes to the file, and it stays; ``begin`` makes it before anything has come.
    """

    def __init__(self, path: Path, limit: int, *, keep_file: bool = False) -> None:
        self._path = path
        self._limit = limit
        self._keep_file = keep_file
        self._head_bytes = 4 * limit
        self._head = bytearray()
        self._tail = bytearray()
        self._lines = 0
        self._file: BinaryIO | None = None
        self._filed = 0
        self._no_file = False
        self.total = 0
        self.changed = anyio.Event()

    def begin(self) -> None:
        """Make the file now. Blocks."""
        self._open()

    async def feed(self, chunk: bytes) -> None:
        """Take the next bytes. Writing the file waits for the disk, and so slows a flood."""
        if self.keep(chunk):
            with anyio.CancelScope(
                shield=True
            ):  # what is in memory is in the file too, also at a stop
                await to_thread.run_sync(self._write, chunk)

    def feed_now(self, chunk: bytes) -> None:
        """Take the next bytes without giving way: for the last of them, when being cancelled."""
        if self.keep(chunk):
            self._write(chunk)

    def keep(self, chunk: bytes) -> bool:
        """Take the bytes into memory; True when they are to go to the file too."""
        wanted = self._keep_file or self.total + len(chunk) > self._limit
        if wanted and self._file is None and not self._no_file:
            self._open()
        self.total += len(chunk)
        self._lines += chunk.count(b"\n")
        room = self._head_bytes - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[max(room, 0) :]
        if len(self._tail) > 2 * TAIL_BYTES:
            del self._tail[:-TAIL_BYTES]
        changed, self.changed = self.changed, anyio.Event()
        changed.set()
        return self._file is not None

    def so_far(self, *, ended: bool = False) -> Captured:
        """Give what there is. ``ended``: nothing more will come, so half a character is shown as its bytes."""
        path = None if self._file is None else str(self._path)
        if self.total == len(self._head) + len(self._tail):
            text = _text(bytes(self._head + self._tail), ended=ended)
            return Captured(text, "", self.total, self._line_count(), path)
        tail = bytes(self._tail[-TAIL_BYTES:])
        return Captured(
            _text(bytes(self._head), ended=False),
            _text(_from_whole_character(tail), ended=ended),
            self.total,
            self._line_count(),
            path,
        )

    def finish(self) -> Captured:
        """Close the file, drop it if the text is short enough to be returned, and give the output."""
        found = self.so_far(ended=True)
        fits = found.complete and len(found.head) <= self._limit and not self._keep_file
        if not fits and self._file is None and not self._no_file:
            self._open()
            self._write(b"")
            found = self.so_far(ended=True)
        if self._file is None:
            return found
        with contextlib.suppress(OSError):
            self._file.close()
        if not fits:
            return found
        self._file = None
        self._path.unlink(missing_ok=True)
        return self.so_far(ended=True)

    def _line_count(self) -> int:
        last = self._tail or self._head
        return self._lines + (1 if last and not last.endswith(b"\n") else 0)

    def _open(self) -> None:
        """Start the file with what was kept so far. Where it can't be made there will be none."""
        try:
            make_private_folder(self._path.parent)
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            self._file = open(handle, "wb", buffering=0)  # noqa: SIM115, PTH123 - closed by finish()
        except OSError:
            self._no_file = True
            return
        self._write(bytes(self._head + self._tail))

    def _write(self, chunk: bytes) -> None:
        if self._file is None:
            return
        chunk = chunk[: FILE_BYTES - self._filed]
        try:
            while chunk:
                written = self._file.write(chunk)
                self._filed += written
                chunk = chunk[written:]
        except OSError:  # a full disk: what is in memory has to do
            self._no_file = True
            self._file.close()
            self._file = None
            self._path.unlink(missing_ok=True)


def _text(data: bytes, *, ended: bool) -> str:
    r"""Decode; a byte that is no UTF-8 is shown as ``\xHH``, and so is NUL, which not every reader takes."""
    text = codecs.getincrementaldecoder("utf-8")("backslashreplace").decode(data, ended)
    return text.replace("\0", "\\x00")


def _from_whole_character(data: bytes) -> bytes:
    start = 0
    while start < min(3, len(data)) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:]
