"""Whether the terminal's own background is light or dark: asked at the very start, so that the answer costs no time.

Loading the screen takes a third of a second; the terminal answers meanwhile. Keys typed in that time are kept for the
screen. An answer that comes later still, over a slow line, is taken out of what is read and tells the app.
"""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

from agent_tui.settings.paths import Environment
from agent_tui.tui.colours import colour_depth

QUESTION = "\x1b]11;?\x1b\\"
WAITED = 10.0
"""Seconds after the question in which what looks like an answer is one."""
READ_BYTES = 64 * 1024
DARK = 0.5
"""Backgrounds of less light than this are dark."""

_ANSWER = re.compile(r"\x1b\]11;rgba?:([0-9a-fA-F]+(?:/[0-9a-fA-F]+){2,3})(?:\x07|\x1b\\)")
_BEGUN = re.compile(r"\x1b(?:\](?:1(?:1(?:;[^\x07\x1b]*\x1b?)?)?)?)\Z")


class Paper:
    """One question and its answer.

    Attributes:
        dark: the background is dark; None while that isn't known.
        early: what was typed before the screen could read it.
        late: called, from the thread that reads keys, when the answer comes after ``look``.
    """

    def __init__(self, asked_at: float | None = None) -> None:
        self.dark: bool | None = None
        self.early = b""
        self.late: Callable[[bool], object] | None = None
        self._asked_at = asked_at
        self._held = ""
        self._before: list[Any] | None = None

    def ask(self, fileno: int = 0) -> None:
        """Ask the terminal; until ``restore`` it echoes nothing and holds no lines back."""
        with suppress(OSError, termios.error):
            before = termios.tcgetattr(fileno)
            quiet: list[Any] = [*before]
            quiet[0] = before[0] & ~termios.ICRNL  # Enter stays Enter
            quiet[3] = before[3] & ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(fileno, termios.TCSANOW, quiet)
            self._before = before
            os.write(fileno, QUESTION.encode())
            self._asked_at = time.monotonic()

    def look(self, fileno: int = 0) -> bool | None:
        """Take the answer if it is there, give the terminal its ways back, and give ``dark``. Waits for nothing."""
        if self._before is not None:
            with suppress(OSError):
                while select.select([fileno], [], [], 0)[0]:
                    data = os.read(fileno, READ_BYTES)
                    if not data:
                        break
                    self.early += data
        self.restore(fileno)
        text = self.filter(self.early.decode("utf-8", "surrogateescape"))
        self.early = text.encode("utf-8", "surrogateescape")
        return self.dark

    def restore(self, fileno: int = 0) -> None:
        """Let the terminal be as it was."""
        before, self._before = self._before, None
        if before is not None:
            with suppress(OSError, termios.error):
                termios.tcsetattr(fileno, termios.TCSANOW, before)

    def take_early(self) -> bytes:
        """Give what was typed early, once."""
        early, self.early = self.early, b""
        return early

    def filter(self, text: str) -> str:
        """Take an answer out of what was read, wherever the reads were cut."""
        text, self._held = self._held + text, ""
        if self._asked_at is not None and time.monotonic() - self._asked_at > WAITED:
            self._asked_at = None
        if self.dark is not None or self._asked_at is None:
            return text
        found = _ANSWER.search(text)
        if found is not None:
            self.dark = _light(found[1]) < DARK
            if self.late is not None:
                self.late(self.dark)
            return text[: found.start()] + text[found.end() :]
        begun = _BEGUN.search(text)
        if begun is not None and len(begun[0]) > 1:  # ESC alone is a key
            self._held = begun[0]
            text = text[: begun.start()]
        return text


def _light(answer: str) -> float:
    """Give how light a colour is, 0 to 1: of red, green and blue as the terminal writes them."""
    parts = [int(part, 16) / (16 ** len(part) - 1) for part in answer.split("/")[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@contextmanager
def asking(env: Environment) -> Generator[Paper]:
    """Ask where an answer can be expected; whatever happens, the terminal is given back as it was."""
    paper = Paper()
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if terminal and colour_depth(env) in ("256", "24bit"):
        paper.ask()
    try:
        yield paper
    finally:
        paper.restore()
