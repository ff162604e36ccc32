"""Syntax colours: lines of code as pieces with a colour role, made for the lines that are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import TypeAlias

from pygments.lexer import Lexer
from pygments.lexers import (  # pyright: ignore[reportMissingTypeStubs]
    find_lexer_class_for_filename,  # pyright: ignore[reportUnknownVariableType]
    get_lexer_by_name,  # pyright: ignore[reportUnknownVariableType]
)
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    _TokenType,  # pyright: ignore[reportPrivateUsage]
)
from pygments.util import ClassNotFound

from agent_tui.tui.theme import TextRole

Piece: TypeAlias = tuple[str, TextRole]

CONTEXT = 12
"""Lines lexed before the wanted ones, so that most begin outside of strings and comments."""
MAX_BACK = 400
"""How far back the beginning of a string or comment that goes over many lines is looked for."""
MAX_LINE = 1000
"""Characters of a line that still gets colours: lexers can be slow on long ones."""

_ROLES: dict[_TokenType, TextRole] = {
    Comment: "code.comment",
    Comment.Preproc: "code.keyword",
    Keyword: "code.keyword",
    Keyword.Type: "code.type",
    Operator.Word: "code.keyword",
    String: "code.string",
    Number: "code.number",
    Name.Function: "code.function",
    Name.Decorator: "code.function",
    Name.Class: "code.type",
    Name.Exception: "code.type",
    Name.Tag: "code.keyword",
    Name.Attribute: "code.function",
    Generic.Inserted: "added",
    Generic.Deleted: "removed",
    Generic.Heading: "strong",
    Generic.Subheading: "muted",
    Generic.Strong: "strong",
}
_OVER_LINES: tuple[TextRole, ...] = ("code.string", "code.comment")


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
        coloured, goes_on = _lex(self._lexer, "\n".join(wanted))
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
    lexer = _by_name(language.lower()) if language else None
    if lexer is None and path:
        lexer = _by_path(PurePath(path).name)
    return Code(lexer, lines)


@lru_cache(64)
def _by_name(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(256)
def _by_path(name: str) -> Lexer | None:
    found = find_lexer_class_for_filename(name)
    return None if found is None else found(stripnl=False, ensurenl=False)


@lru_cache(64)
def _has_star_comments(lexer: Lexer) -> bool:
    return any(kind in Comment for kind, value in lexer.get_tokens("/* x */") if "x" in value)


def _lex(lexer: Lexer, text: str) -> tuple[list[list[Piece]], set[int]]:
    """Give the pieces of each line, and the lines whose end is inside of a string or comment."""
    # A comment that isn't closed yet is none to many lexers.
    is_open = text.rfind("/*") > text.rfind("*/") and _has_star_comments(lexer)
    lines: list[list[Piece]] = [[]]
    goes_on: set[int] = set()
    tokens = list(lexer.get_tokens(text + "*/" if is_open else text))
    for at, (kind, value) in enumerate(tokens):
        role = _role(kind)
        if role == "text" and kind in Name:
            role = _name_role(value, tokens[at + 1][1] if at + 1 < len(tokens) else "")
        first, *more = value.split("\n")
        _add(lines[-1], first, role)
        for part in more:
            if role in _OVER_LINES and kind not in Comment.Single:
                goes_on.add(len(lines) - 1)
            lines.append([])
            _add(lines[-1], part, role)
    if tokens and _role(tokens[-1][0]) in _OVER_LINES and tokens[-1][0] not in Comment.Single:
        # What comes next may still belong to it.
        goes_on.add(len(lines) - 1)
    if is_open:
        last, role = lines[-1][-1]
        lines[-1][-1] = (last.removesuffix("*/"), role)
    return lines, goes_on


def _add(line: list[Piece], text: str, role: TextRole) -> None:
    if not text:
        return
    if line and (line[-1][1] == role or text.isspace()):
        line[-1] = (line[-1][0] + text, line[-1][1])
    else:
        line.append((text, role))


@lru_cache(512)
def _role(kind: _TokenType) -> TextRole:
    for ancestor in reversed(kind.split()):
        if ancestor in _ROLES:
            return _ROLES[ancestor]
    return "text"


def _name_role(name: str, following: str) -> TextRole:
    """Tell calls and types from other names, which lexers don't."""
    if following.startswith("("):
        return "code.type" if name[:1].isupper() and not name.isupper() else "code.function"
    return "code.type" if name[:1].isupper() else "text"
