"""What a server says on its standard error, kept in a file: line by line, harmless to show, without secrets."""

from __future__ import annotations

import contextlib
import os
from typing import Final

import anyio
from anyio import to_thread
from anyio.abc import ByteReceiveStream

from agent_tui.protocol.masking import Masker

MAX_LINE: Final = 64 * 1024
"""Bytes; a longer line is written in pieces."""


class ServerLog:
    """Writes the log.

    Args:
        handle: the open file, None: what is said is lost.
        masker: hides secrets in it.
    """

    def __init__(self, handle: int | None, masker: Masker) -> None:
        self._handle = handle
        self._masker = masker
        self._rest = b""
        self.ended = anyio.Event()

    async def keep(self, stderr: ByteReceiveStream) -> None:
        """Take everything until the stream ends."""
        try:
            async for chunk in stderr:
                *lines, self._rest = (self._rest + chunk).split(b"\n")
                if len(self._rest) > MAX_LINE:
                    lines, self._rest = [*lines, self._rest], b""
                if lines:
                    await to_thread.run_sync(self._write, lines)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            pass  # the server is gone
        finally:
            if self._rest:
                self._write([self._rest])
                self._rest = b""
            self.ended.set()

    def _write(self, lines: list[bytes]) -> None:
        if self._handle is None:
            return
        text = "".join(f"{self._line(line)}\n" for line in lines)
        with contextlib.suppress(OSError):  # a full disk costs the log, never the server
            os.write(self._handle, text.encode("utf-8", "backslashreplace"))

    def _line(self, line: bytes) -> str:
        text = self._masker.mask(line.decode("utf-8", "backslashreplace").rstrip("\r"))
        if text.isprintable():
            return text
        return "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in text)
