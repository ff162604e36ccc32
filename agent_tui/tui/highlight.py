"""Syntax colours: lines of code as pieces with a colour role, made for the lines that are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias

from agent_tui.tui.theme import TextRole

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Piece: TypeAlias = tuple[str, TextRole]

CONTEXT = 12
"""Lines lexed before the wanted ones, so that most begin outside of strings and comments."""
MAX_BACK = 400
"""How far back the beginning of a string or comment that goes over many lines is looked for."""
MAX_LINE = 1000
"""Characters of a line that still gets colours: lexers can be slow on long ones."""


class Code:
    """Source text whose lines get their colours when they are asked for; lines may be added at its end."""

    def __init__(self, lexer: Lexer | None, lines: Sequence[str] = ()) -> None:
        self._lexer = lexer
        self._lines = list(lines)
        self._done: dict[int, list[Piece]] = {}
        self._goes_on: set[int] = set()

    def __len__(self) -> int:
        return len(self._lines)

    def extend(self, lines: Sequence[str]) -> None:
        """Add lines."""
        self._lines.extend(lines)

    def replace_last(self, line: str) -> None:
        """Change the last line, which is still being written."""
        self._done.pop(len(self._lines) - 1, None)
        self._lines[-1] = line

    def drop_last(self) -> None:
        """Take the last line away."""
        self._lines.pop()
        self._done.pop(len(self._lines), None)

    def line(self, index: int, *, ahead: int = 1) -> list[Piece]:
        """Give one line in pieces; ``ahead`` lines from it on are made at once when it has no colours yet."""
        if self._lexer is None:
            return [(self._lines[index], "text")]
        if index not in self._done:
            self._make(index, min(len(self._lines), index + max(1, ahead)))
        return self._done[index]

    def _make(self, start: int, stop: int) -> None:
        begin = self._context(start)
        wanted = [line if len(line) <= MAX_LINE else "" for line in self._lines[begin:stop]]
        assert self._lexer is not None
        from agent_tui.tui.lexing import lex  # door: pygments, with the first coloured line

        coloured, goes_on = lex(self._lexer, "\n".join(wanted))
        for at in range(start, stop):
            line = self._lines[at]
            if at - begin in goes_on:
                self._goes_on.add(at)
            else:
                self._goes_on.discard(at)
            pieces = coloured[at - begin] if at - begin < len(coloured) else []
            self._done[at] = pieces if len(line) <= MAX_LINE else [(line, "text")]

    def _context(self, start: int) -> int:
        """Find a line to begin at: some lines before, and before a string or comment that reaches up to here."""
        begin = max(0, start - CONTEXT)
        while begin > 0 and start - begin < MAX_BACK and begin - 1 in self._goes_on:
            begin -= 1
        return begin


def code_of(lines: Sequence[str], *, language: str = "", path: str = "") -> Code:
    """Give code that knows its language by name, or by a file's name; plain when neither is known."""
    if not language and not path:
        return Code(None, lines)
    from agent_tui.tui.lexing import by_name, by_path  # door: pygments, with the first code

    lexer = by_name(language.lower()) if language else None
    if lexer is None and path:
        lexer = by_path(PurePath(path).name)
    return Code(lexer, lines)
