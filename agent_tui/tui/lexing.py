"""What lexers say of code, as colour roles. Loaded with the first code that is shown: lexers take long to load."""

from __future__ import annotations

from functools import lru_cache

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

from agent_tui.tui.highlight import Piece
from agent_tui.tui.theme import TextRole

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


@lru_cache(64)
def by_name(language: str) -> Lexer | None:
    """Find a lexer by a language's name, None when there is none."""
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(256)
def by_path(name: str) -> Lexer | None:
    """Find a lexer by a file's name, None when there is none."""
    found = find_lexer_class_for_filename(name)
    return None if found is None else found(stripnl=False, ensurenl=False)


@lru_cache(64)
def _has_star_comments(lexer: Lexer) -> bool:
    return any(kind in Comment for kind, value in lexer.get_tokens("/* x */") if "x" in value)


def lex(lexer: Lexer, text: str) -> tuple[list[list[Piece]], set[int]]:
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
