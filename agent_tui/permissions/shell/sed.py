"""Scripts of ``sed``, read command by command: what they write, read and run beside their input."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from agent_tui.permissions.shell.options import Sorted
from agent_tui.permissions.shell.words import Word

MAX_SCRIPT: Final = 2_000
_BARE: Final = frozenset("=dDgGhHnNpPxFz")
_NUMBERED: Final = frozenset("qQlL")
_ADDRESS = re.compile(r"\d+(?:~\d+)?|\$|[+~]\d+")
_NUMBER = re.compile(r"[ \t]*\d*")
_LABEL = re.compile(r"[ \t]*[\w.-]*", re.ASCII)
_FLAGS = re.compile(r"[gpiImMe0-9]*")
_BLANK = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"[ \t\n;]*")
_Classes: TypeAlias = Literal["unseen", "plain", "escaped"]
_CLASSES: Final[tuple[_Classes, ...]] = ("unseen", "plain", "escaped")
_CLASS: Final = {
    "plain": re.compile(r"\[\^?\]?(?:\[([:.=]).*?\1\]|[^\]\n])*\]"),
    "escaped": re.compile(r"\[\^?\]?(?:\[([:.=]).*?\1\]|\\.|[^\]\n\\])*\]"),
}
_STREAMS: Final = ("/dev/stdout", "/dev/stderr", "/dev/stdin")


@dataclass(slots=True)
class SedScript:
    """What a script does beside printing and changing its input: files by name, and whether it runs programs."""

    writes: list[str] = field(default_factory=list[str])
    reads: list[str] = field(default_factory=list[str])
    runs: bool = False

    @property
    def plain(self) -> bool:
        """It touches nothing but its input and output."""
        return not (self.writes or self.reads or self.runs)


class _OddError(Exception):
    """The script isn't understood."""


def read_sed(text: str) -> SedScript | None:
    """Read a script; None when it isn't understood.

    Whether a delimiter inside ``[...]`` ends a pattern, and what a backslash does there, differs from one sed to
    another: the script is read every way, and what any reading finds counts.
    """
    if len(text) > MAX_SCRIPT:
        return None
    out = SedScript()
    understood = False
    for classes in _CLASSES if "[" in text else _CLASSES[:1]:
        try:
            found = _Reader(text, classes).read()
        except _OddError:
            continue
        understood = True
        out.writes += found.writes
        out.reads += found.reads
        out.runs |= found.runs
    return out if understood else None


def sed_script_is_plain(script: Word | None) -> bool:
    """Tell whether a script only prints, deletes and replaces."""
    text = None if script is None else script.value
    found = None if text is None else read_sed(text)
    return found is not None and found.plain


def sed_scripts(found: Sorted) -> tuple[Word, ...]:
    """Give the scripts of a sed call."""
    given = tuple(word for name, word in found.values if name in ("e", "expression"))
    return given or found.rest[:1]


def sed_effects(scripts: Sequence[Word]) -> SedScript | None:
    """Read the scripts of a call, which sed joins to one; None when that isn't understood."""
    texts = [script.value for script in scripts]
    if not texts or any(text is None for text in texts):
        return None
    return read_sed("\n".join(map(str, texts)))


class _Reader:
    def __init__(self, text: str, classes: _Classes) -> None:
        self._text = text
        self._class = None if classes == "unseen" else _CLASS[classes]
        self._at = 0
        self._open = 0
        self._out = SedScript()

    def read(self) -> SedScript:
        while True:
            self._skip(_BETWEEN)
            if self._at >= len(self._text):
                break
            if self._peek() == "}":
                self._close()
            elif self._peek() == "#":
                self._to_line_end()
            else:
                self._addresses()
                self._command(self._take())
        if self._open:
            raise _OddError
        return self._out

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        char = self._peek()
        if not char:
            raise _OddError
        self._at += 1
        return char

    def _skip(self, what: re.Pattern[str]) -> str:
        found = what.match(self._text, self._at)
        assert found is not None  # the patterns fit nothing, too
        self._at = found.end()
        return found[0]

    def _to_line_end(self) -> str:
        end = self._text.find("\n", self._at)
        end = len(self._text) if end < 0 else end
        text, self._at = self._text[self._at : end], end
        return text

    def _close(self) -> None:
        self._at += 1
        self._open -= 1
        if self._open < 0:
            raise _OddError
        self._end()

    def _end(self) -> None:
        """Nothing but a separator may follow a command."""
        self._skip(_BLANK)
        if self._peek() not in ("", ";", "\n", "}", "#"):
            raise _OddError

    def _addresses(self) -> None:
        if self._address():
            self._skip(_BLANK)
            if self._peek() == ",":
                self._at += 1
                self._skip(_BLANK)
                if not self._address():
                    raise _OddError
        self._skip(_BLANK)
        while self._peek() == "!":
            self._at += 1
            self._skip(_BLANK)

    def _address(self) -> bool:
        char = self._peek()
        if char in ("/", "\\"):
            self._at += 1
            mark = char if char == "/" else self._take()
            self._delimited(mark, regex=True)
            while self._peek() in ("I", "M"):
                self._at += 1
            return True
        found = _ADDRESS.match(self._text, self._at)
        if found is None:
            return False
        self._at = found.end()
        return True

    def _delimited(self, mark: str, *, regex: bool) -> None:
        """Take the text up to a delimiter."""
        if mark in ("\n", "\\", "[", "") or mark.isalnum() or mark.isspace():
            raise _OddError
        while (char := self._take()) != mark:
            if char == "\\":
                self._take()
            elif char == "\n" and regex:
                raise _OddError
            elif char == "[" and regex and self._class is not None:
                found = self._class.match(self._text, self._at - 1)
                if found is None:
                    raise _OddError
                self._at = found.end()

    def _command(self, char: str) -> None:
        if char in _BARE:
            self._end()
        elif char in _NUMBERED:
            self._skip(_NUMBER)
            self._end()
        elif char == "{":
            self._open += 1
        elif char in "btT:":
            self._skip(_LABEL)
            self._end()
        elif char in "aic":
            self._inserted()
        elif char == "s":
            self._substitute()
        elif char == "y":
            mark = self._take()
            self._delimited(mark, regex=False)
            self._delimited(mark, regex=False)
            self._end()
        elif char in "rRwW":
            self._file(char)
        elif char == "e":
            self._out.runs = True
            self._to_line_end()
        else:
            raise _OddError

    def _inserted(self) -> None:
        """Text up to the end of a line that isn't continued."""
        while (char := self._peek()) not in ("", "\n"):
            self._at += 1
            if char == "\\" and self._peek():
                self._at += 1

    def _substitute(self) -> None:
        mark = self._take()
        self._delimited(mark, regex=True)
        self._delimited(mark, regex=False)
        if "e" in self._skip(_FLAGS):
            self._out.runs = True
        if self._peek() == "w":
            self._at += 1
            self._file("w")
        else:
            self._end()

    def _file(self, char: str) -> None:
        self._skip(_BLANK)
        name = self._to_line_end()
        if not name:
            raise _OddError
        if name not in _STREAMS:
            (self._out.writes if char in "wW" else self._out.reads).append(name)
