"""A program in a pseudo terminal, with a stopwatch: send keys, wait for output, read its CPU time and memory."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

MARK = "¤"
"""The key whose echo is waited for: no screen shows it by itself."""

ERASE = b"\x7f"

_ANSWERS = (
    (b"\x1b[c", b"\x1b[?62;22c"),
    (b"\x1b[6n", b"\x1b[1;1R"),
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
)
_TICK = os.sysconf("SC_CLK_TCK")


class GoneError(Exception):
    """The program ended, or what was waited for did not come."""


class Terminal:
    """A running program.

    ``seen`` is all it has written, in ``reads`` pieces; times are ``time.perf_counter`` seconds.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        cwd: Path,
        size: tuple[int, int] = (120, 40),
    ) -> None:
        self.seen = bytearray()
        self.reads = 0
        self.started = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execvpe(command[0], list(command), dict(env))
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def read(self, seconds: float) -> bytes:
        """Take what comes within ``seconds``, at most one piece; empty when nothing came."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError as error:
            raise GoneError(f"it ended:\n{self.text()[-2000:]}") from error
        for asked, answer in _ANSWERS:
            if asked in data:
                os.write(self._fd, answer)
        self.seen += data
        self.reads += 1
        return data

    def wait(self, wanted: str, timeout: float = 60, since: int | None = None) -> float:
        """Wait until ``wanted`` has been written after byte ``since`` (now); give the time it was seen.

        Raises:
            GoneError: it did not come in time.
        """
        start = len(self.seen) if since is None else since
        needle = wanted.encode()
        until = time.perf_counter() + timeout
        while needle not in self.seen[start:]:
            if time.perf_counter() > until:
                raise GoneError(f"{wanted!r} did not come:\n{self.text()[-2000:]}")
            self.read(0.5)
        return time.perf_counter()

    def usable(self, timeout: float = 60) -> float:
        """Wait until the program draws and echoes a key; give the seconds from its start.

        A key may be dropped while the program is not ready, so it is sent again every 20 ms.
        """
        self.wait("\x1b[?1049h", timeout, since=0)
        sent = 0
        since = len(self.seen)
        while MARK.encode() not in self.seen[since:]:
            if time.perf_counter() - self.started > timeout:
                raise GoneError(f"no key is echoed:\n{self.text()[-2000:]}")
            os.write(self._fd, MARK.encode())
            sent += 1
            self.watch(0.02)
        seconds = time.perf_counter() - self.started
        os.write(self._fd, ERASE * sent)
        self.settle()
        return seconds

    def key(self, timeout: float = 60) -> float:
        """Send a key, wait for its echo, erase it; give the seconds to the echo."""
        since = len(self.seen)
        sent = time.perf_counter()
        os.write(self._fd, MARK.encode())
        took = self.wait(MARK, timeout, since) - sent
        os.write(self._fd, ERASE)
        return took

    def send(self, text: str) -> None:
        """Send characters as they are."""
        os.write(self._fd, text.encode())

    def watch(self, seconds: float) -> None:
        """Read for so long, whatever comes."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self.read(left)

    def settle(self, quiet: float = 0.05, timeout: float = 30) -> float:
        """Read until nothing has come for ``quiet`` seconds; give the time of the last byte."""
        last = time.perf_counter()
        until = last + timeout
        while time.perf_counter() < until:
            if self.read(quiet):
                last = time.perf_counter()
            else:
                return last
        return last

    def text(self) -> str:
        """What was written, control sequences taken out; for messages."""
        plain = re.sub(
            rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\].*?(?:\x07|\x1b\\)|.)", b" ", bytes(self.seen)
        )
        return re.sub(r"\s+", " ", plain.decode("utf-8", "replace"))

    def pids(self) -> list[int]:
        """The program and all its descendants, itself first."""
        found = [self.pid]
        for pid in found:
            found.extend(_children(pid))
        return found

    def cpu(self) -> float:
        """CPU seconds of the tree so far, ended children included."""
        return sum(_cpu(pid) for pid in self.pids())

    def rss(self) -> tuple[float, float]:
        """Resident MB now: of the program itself, of the whole tree."""
        sizes = [_rss(pid) for pid in self.pids()]
        return sizes[0], sum(sizes)

    def close(self) -> None:
        """End the program and what it started."""
        for pid in reversed(self.pids()):
            _kill(pid)
        os.waitpid(self.pid, 0)
        os.close(self._fd)


def percentile(values: Sequence[float], percent: float) -> float:
    """Give a percentile by the nearest rank."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, round(percent / 100 * (len(ranked) - 1)))]


def _children(pid: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(c) for task in tasks for c in (task / "children").read_text().split()]
    except OSError:
        return []


def _cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(ticks) for ticks in fields[11:15]) / _TICK


def _rss(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found.group(1)) / 1024 if found else 0.0


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
