"""Drives the real program in a pseudo-terminal and reads its screen through pyte."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

PATIENCE = 25.0
"""Seconds to wait for something on the screen; generous, for busy machines."""

KEYS = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "backspace": "\x7f",
    "pageup": "\x1b[5~",
    "ctrl+c": "\x03",
    "ctrl+d": "\x04",
    "ctrl+z": "\x1a",
}

ANSWERS = (
    (b"\x1b[c", b"\x1b[?62;22c"),
    (b"\x1b[6n", b"\x1b[1;1R"),
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
)
"""What a terminal says when it is asked what it is."""


class Terminal:
    """One program in a terminal of ``size`` (columns, rows). A context manager: the program is gone at its end."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        size: tuple[int, int] = (120, 40),
    ) -> None:
        self.raw = bytearray()
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execvpe(argv[0], list(argv), dict(env))
        rows_columns = struct.pack("HHHH", size[1], size[0], 0, 0)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, rows_columns)
        self.exit_code: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            sys.stderr.write(f"the screen was:\n{self.text}\n")
        self.kill()
        os.close(self._fd)

    @property
    def text(self) -> str:
        """The screen, a line per row, without trailing blanks."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row of the cursor, from 0."""
        return self._screen.cursor.x, self._screen.cursor.y

    def pump(self, seconds: float) -> bool:
        """Read what comes within ``seconds``; False once the program has closed the terminal."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self._fd], [], [], min(left, 0.05))[0]:
                continue
            try:
                data = os.read(self._fd, 1 << 16)
            except OSError:
                return False
            if not data:
                return False
            self.raw += data
            for ask, answer in ANSWERS:
                if ask in data:
                    os.write(self._fd, answer)
            self._stream.feed(data)
        return True

    def wait_for(self, *texts: str, seconds: float = PATIENCE) -> None:
        """Wait until all ``texts`` are on the screen at once."""
        self._wait(lambda: all(text in self.text for text in texts), f"{texts}", seconds)

    def wait_until_gone(self, text: str, seconds: float = PATIENCE) -> None:
        """Wait until ``text`` is not on the screen."""
        self._wait(lambda: text not in self.text, f"{text!r} to go", seconds)

    def _wait(self, met: object, what: str, seconds: float) -> None:
        assert callable(met)
        end = time.monotonic() + seconds
        while not met():
            alive = self.pump(0.05)
            if met():
                return
            if not alive or time.monotonic() > end:
                raise AssertionError(f"waited for {what}; the screen is:\n{self.text}")

    def type(self, text: str) -> None:
        """Type, a key at a time."""
        for char in text:
            os.write(self._fd, char.encode())
            self.pump(0.01)

    def key(self, name: str) -> None:
        """Press a key by name."""
        os.write(self._fd, KEYS.get(name, name).encode())
        self.pump(0.05)

    def paste(self, text: str) -> None:
        """Paste as a terminal with bracketed paste does."""
        os.write(self._fd, f"\x1b[200~{text}\x1b[201~".encode())
        self.pump(0.1)

    def wait_exit(self, seconds: float = PATIENCE) -> int:
        """Wait for the program's end; give its exit code, 128+n for a signal."""
        end = time.monotonic() + seconds
        while self.exit_code is None:
            self.pump(0.05)
            self._reap(block=False)
            if self.exit_code is None and time.monotonic() > end:
                raise AssertionError(f"it does not end; the screen is:\n{self.text}")
        self.pump(0.1)
        return self.exit_code

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal to the program; after KILL it is waited for."""
        if self.exit_code is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)
            if number == signal.SIGKILL:
                self._reap(block=True)

    def hang_up(self) -> None:
        """Close the terminal under the program, as closing a window does."""
        os.close(self._fd)
        self._fd = os.open(os.devnull, os.O_RDWR)

    def _reap(self, *, block: bool) -> None:
        if self.exit_code is not None:
            return
        pid, status = os.waitpid(self.pid, 0 if block else os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            self.exit_code = code if code >= 0 else 128 - code
