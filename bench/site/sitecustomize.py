"""Loaded by every Python program of a bench that is timed: notes the CPU it uses between a response and its next request.

A program can't be asked for its CPU time to the millisecond from outside while it runs. So the sockets of the program
itself note it: when the last byte of a response was read, and when the first of the next request is about to be written.
Each difference in seconds becomes a line of the file that ``BENCH_CLOCK`` names.
"""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import Any

END = b"0\r\n\r\n"

_file = os.environ.get("BENCH_CLOCK", "")
_read_at: float | None = None


def _wrote(data: Any) -> None:
    global _read_at
    if _read_at is None or bytes(data[:5]) != b"POST ":
        return
    used, _read_at = time.process_time() - _read_at, None
    with Path(_file).open("a") as file:
        file.write(f"{used}\n")


def _read(data: bytes) -> None:
    global _read_at
    if data.endswith(END):
        _read_at = time.process_time()


class _Clocked(socket.socket):
    def send(self, data: Any, *flags: int) -> int:
        _wrote(data)
        return super().send(data, *flags)

    def sendall(self, data: Any, *flags: int) -> None:
        _wrote(data)
        super().sendall(data, *flags)

    def recv(self, size: int, *flags: int) -> bytes:
        data = super().recv(size, *flags)
        _read(data)
        return data

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0) -> int:
        count = super().recv_into(buffer, nbytes, flags)
        _read(bytes(buffer[:count]))
        return count


if _file:
    socket.socket = _Clocked  # pyright: ignore[reportAttributeAccessIssue]
