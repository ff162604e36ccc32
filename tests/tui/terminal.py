"""A terminal for whole-program tests: runs a program in a pty, sends keys, keeps every byte it wrote."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

import pyte

REPO = Path(__file__).parents[2]
ANSWERS = ((b"\x1b[c", b"\x1b[?62;22c"), (b"\x1b[?2026$p", b"\x1b[?2026;2$y"))


class Terminal:
    """A program in a pty. Give it ``module`` and arguments; ``raw`` is all it wrote so far."""

    def __init__(
        self, *argv: str, columns: int = 100, rows: int = 30, env: dict[str, str] | None = None
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = bytearray()
        variables = {
            **os.environ,
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            **(env or {}),
        }
        variables["PYTHONPATH"] = str(REPO)
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.execvpe(sys.executable, [sys.executable, *argv], variables)
        self.code: int | None = None
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self._fd)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)

    @property
    def settings(self) -> list[object]:
        """The terminal's own settings, as ``stty -a`` shows them."""
        return termios.tcgetattr(self._fd)

    @property
    def rows(self) -> list[str]:
        """What the screen shows."""
        return [row.rstrip() for row in self.screen.display]

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def send(self, data: str | bytes) -> None:
        """Press keys."""
        os.write(self._fd, data.encode() if isinstance(data, str) else data)

    def send_slowly(self, data: str) -> None:
        """Send more than the pty holds at once, reading meanwhile."""
        left = data.encode()
        os.set_blocking(self._fd, False)
        try:
            while left:
                try:
                    left = left[os.write(self._fd, left[:4096]) :]
                except BlockingIOError:
                    self.pump(0.005)
        finally:
            os.set_blocking(self._fd, True)

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        os.kill(self.pid, number)

    def pump(self, seconds: float) -> bool:
        """Read what is written for a while; False when the program has let go of the terminal."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self._fd], [], [], left)[0]:
                return True
            try:
                data = os.read(self._fd, 1 << 16)
            except OSError:
                return False
            if not data:
                return False
            self.raw += data
            for question, answer in ANSWERS:
                if question in data:
                    os.write(self._fd, answer)
            self._stream.feed(data)
        return True

    def wait_for(self, text: str, seconds: float = 20.0) -> None:
        """Wait until the screen shows a text."""
        end = time.monotonic() + seconds
        while text not in "\n".join(self.rows):
            if not self.pump(0.05) or time.monotonic() > end:
                shown = "\n".join(self.rows)
                raise AssertionError(f"{text!r} was not shown:\n{shown}")

    def wait_for_state(self, state: str, seconds: float = 10.0) -> None:
        """Wait until the process is in a state (``T`` stopped), as Linux tells it."""
        end = time.monotonic() + seconds
        while Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] != state:
            self.pump(0.05)
            assert time.monotonic() < end, f"never in state {state}"
        self.pump(0.05)  # what it wrote before

    def wait(self, seconds: float = 15.0) -> int:
        """Wait for the end; give the exit code, or minus the signal."""
        end = time.monotonic() + seconds
        while self.code is None:
            self.pump(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            assert time.monotonic() < end, "it did not end"
        self.pump(0.1)
        return self.code
