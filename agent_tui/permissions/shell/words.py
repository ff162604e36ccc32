"""One word of a shell line: quotes and backslashes resolved, expansions kept as holes.

The grammar says where words begin and end and where expansions are; the quoting is read here once more. Where the two
disagree the line isn't understood, so a mistake of either can't hide a command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.permissions.wildcards import ANY, Items, items

HoleKind: TypeAlias = Literal[
    "variable", "command", "process", "arithmetic", "glob", "brace", "tilde"
]


class UnclearError(Exception):
    """The line can't be fully understood; the text says why. Never leaves this package."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A stretch of a word that the shell fills in.

    ``text`` is the variable's name (plain ``$name`` and ``${name}`` only), the glob character, or the tilde prefix;
    else "". A hole that isn't ``quoted`` may become several words, or none.
    """

    kind: HoleKind
    text: str = ""
    quoted: bool = False


Piece: TypeAlias = str | Hole


@dataclass(frozen=True, slots=True)
class Word:
    """A word: ``raw`` as written, ``pieces`` as the shell takes it."""

    raw: str
    pieces: tuple[Piece, ...]

    @property
    def value(self) -> str | None:
        """The word's text, None when the shell fills something in."""
        return "".join(map(str, self.pieces)) if self.literal else None

    @property
    def literal(self) -> bool:
        """Nothing is filled in."""
        return all(isinstance(piece, str) for piece in self.pieces)

    @property
    def start(self) -> str:
        """The text it surely begins with."""
        return self.pieces[0] if self.pieces and isinstance(self.pieces[0], str) else ""

    @property
    def splits(self) -> bool:
        """It may become several words, or none."""
        return any(isinstance(piece, Hole) and not piece.quoted for piece in self.pieces)

    def items(self) -> Items:
        """Give the text with holes as wild items."""
        return items(*(piece if isinstance(piece, str) else ANY for piece in self.pieces))

    def is_text(self, *values: str) -> bool:
        """Tell whether it is surely one of ``values``."""
        return self.literal and self.value in values


def word_of(text: str) -> Word:
    """Make a word of a plain text."""
    return Word(text, (text,))


_NAMED = re.compile(r"[A-Za-z0-9_({\[@*#?$!-]")
_TILDE = re.compile(r"~[A-Za-z0-9_.+-]*")
_BRACE = re.compile(r"\{.*(?:,|\.\.).*\}", re.DOTALL)
_CLASS = re.compile(r"\[[!^]?\]?[^\]\['\"\\$`{*?\s|&;()<>]*\]")
_ANSI = re.compile(
    r"\\(?:(?P<one>[abeEfnrtv\\'\"?])|(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9A-Fa-f]{1,2})"
    r"|u(?P<u4>[0-9A-Fa-f]{1,4})|U(?P<u8>[0-9A-Fa-f]{1,8}))"
)
_ONE = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))


def read_word(raw: str, holes: dict[int, tuple[int, Hole]]) -> Word:
    """Read one word.

    Args:
        raw: its source text.
        holes: the expansions the grammar found: start -> (end, hole), as indexes of ``raw``.

    Raises:
        UnclearError: the quoting isn't closed, or what is there isn't one word.
    """
    return _Reader(raw, holes).read()


class _Reader:
    def __init__(self, raw: str, holes: dict[int, tuple[int, Hole]]) -> None:
        self._raw = raw
        self._holes = holes
        self._at = 0
        self._pieces: list[Piece] = []
        self._quoted = False
        self._known: int | None = None

    def read(self) -> Word:
        raw = self._raw
        if raw.startswith("#"):
            raise UnclearError("a comment where a word was expected")
        while self._at < len(raw):
            found = self._holes.get(self._at)
            if found is not None:
                self._hole(*found)
            elif self._quoted:
                self._double_quoted(raw[self._at])
            else:
                self._plain(raw[self._at])
        if self._quoted:
            raise UnclearError("a quote that isn't closed")
        pieces = tuple(piece for piece in self._pieces[: self._known] if piece != "")
        return Word(raw, pieces or ("",))

    def _hole(self, end: int, hole: Hole) -> None:
        many = hole.text in ("@", "*")
        if self._raw.startswith("\\\n", end):
            raise UnclearError("an expansion that goes on in the next line")
        if self._quoted and hole.kind == "process":
            raise UnclearError("a process substitution inside quotes")
        quoted = self._quoted and not many
        self._pieces.append(Hole(hole.kind, hole.text, quoted))
        self._at = end

    def _text(self, text: str, length: int) -> None:
        if self._pieces and isinstance(self._pieces[-1], str):
            self._pieces[-1] += text
        else:
            self._pieces.append(text)
        self._at += length

    def _plain(self, char: str) -> None:
        rest = self._raw[self._at :]
        if char == "'":
            self._single_quoted(rest, 1)
        elif char == '"':
            self._quoted = True
            self._text("", 1)
        elif char == "\\":
            if len(rest) < 2 or rest[1] == "\n":
                raise UnclearError("a backslash at the end of a line inside a word")
            self._text(rest[1], 2)
        elif char == "$":
            self._dollar(rest)
        elif char in "*?":
            self._pieces.append(Hole("glob", char))
            self._at += 1
        elif char == "[":
            self._bracket(rest)
        elif char == "~" and (self._at == 0 or self._raw[self._at - 1] in "=:"):
            self._tilde(rest)
        elif char == "{" and self._known is None and _BRACE.match(rest):
            self._unknown_rest()
        elif char in " \t\n|&;()<>`":
            raise UnclearError("a separator inside a word")
        else:
            self._text(char, 1)

    def _tilde(self, rest: str) -> None:
        found = _TILDE.match(rest)
        assert found is not None
        if rest[found.end() : found.end() + 1] in ("", "/", ":", "="):
            self._pieces.append(Hole("tilde", found[0], quoted=True))
            self._at += found.end()
        else:
            self._text("~", 1)

    def _bracket(self, rest: str) -> None:
        if "]" not in rest:
            self._text("[", 1)
        elif (found := _CLASS.match(rest)) and not any(
            self._at < hole < self._at + found.end() for hole in self._holes
        ):
            self._pieces.append(Hole("glob", found[0]))
            self._at += found.end()
        else:
            self._unknown_rest()

    def _unknown_rest(self) -> None:
        """The rest of the word is anything (``{a,b}`` makes several words); its quoting must still be sound."""
        if self._known is None:
            self._pieces.append(Hole("brace"))
            self._known = len(self._pieces)
        self._at += 1

    def _single_quoted(self, rest: str, skip: int) -> None:
        end = rest.find("'", skip)
        if end < 0:
            raise UnclearError("a quote that isn't closed")
        self._text(rest[skip:end], end + 1)

    def _dollar(self, rest: str) -> None:
        following = rest[1:2]
        if following == "\\" and rest[2:3] == "\n":
            raise UnclearError("an expansion that goes on in the next line")
        if following == "'":
            self._ansi(rest)
        elif following == '"':
            raise UnclearError("a translated string")
        elif following == "$":
            self._process_id()
        elif _NAMED.match(following):
            raise UnclearError("an expansion that isn't understood")
        else:
            self._text("$", 1)

    def _process_id(self) -> None:
        self._pieces.append(Hole("variable", "$", quoted=True))
        self._at += 2

    def _ansi(self, rest: str) -> None:
        out: list[str] = []
        at = 2
        while at < len(rest) and rest[at] != "'":
            if rest[at] != "\\":
                out.append(rest[at])
                at += 1
                continue
            found = _ANSI.match(rest, at)
            if found is None:
                raise UnclearError("an escape that isn't understood")
            out.append(_escape(found))
            at = found.end()
        if at >= len(rest):
            raise UnclearError("a quote that isn't closed")
        self._text("".join(out), at + 1)

    def _double_quoted(self, char: str) -> None:
        rest = self._raw[self._at :]
        if char == '"':
            self._quoted = False
            self._text("", 1)
        elif char == "\\" and rest[1:2] in ("$", "`", '"', "\\"):
            self._text(rest[1], 2)
        elif char == "\\" and rest[1:2] == "\n":
            self._text("", 2)
        elif rest.startswith("$$"):
            self._process_id()
        elif char == "`" or (char == "$" and (_NAMED.match(rest[1:2]) or rest[1:3] == "\\\n")):
            raise UnclearError("an expansion that isn't understood")
        else:
            self._text(char, 1)


def _escape(found: re.Match[str]) -> str:
    if found["one"]:
        return _ONE[found["one"]]
    number = (
        int(found["octal"], 8)
        if found["octal"]
        else int(found["hex"] or found["u4"] or found["u8"], 16)
    )
    if not 0 < number < 128:
        raise UnclearError("a character that depends on the locale")
    return chr(number)
