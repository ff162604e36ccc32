"""Cuts markdown into pieces that stay as they are once the next one has begun, while it is still being written.

A piece is what can be drawn by itself: a paragraph, a heading, an item of a list with all that is nested in it, a table,
a fenced block. Only the last piece can still change, so a long answer costs no more per word than a short one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

MAX_PROSE_LINES = 300
"""A paragraph is cut here: drawn again with every word, it must stay small."""

Kind: TypeAlias = Literal["prose", "item", "indented", "fence"]

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*(.*)")
_ITEM = re.compile(r"( *)([-*+]|\d{1,9}[.)])(?: +|$)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_BREAK = re.compile(r" {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+) *$")


@dataclass(slots=True)
class Piece:
    """A stretch of source lines.

    Attributes:
        kind: what it is.
        lines: its source, as written, without line ends.
        gap: blank rows above it.
        closed: it will not change any more.
        language: of a fence: the first word of what stands beside its beginning.
        whole: of a fence: its end was seen, too.
    """

    kind: Kind
    lines: list[str] = field(default_factory=list[str])
    gap: int = 0
    closed: bool = False
    language: str = ""
    whole: bool = False

    @property
    def source(self) -> str:
        """The piece as it was written."""
        return "\n".join(self.lines)

    @property
    def is_table(self) -> bool:
        """Whether it looks like a table."""
        return len(self.lines) > 1 and "|" in self.lines[0] and "-" in self.lines[1]

    def code(self, start: int = 0) -> list[str]:
        """Give the code lines of a fence from a 0-based one on."""
        indent = len(self.lines[0]) - len(self.lines[0].lstrip(" "))
        end = len(self.lines) - 1 if self.whole else len(self.lines)
        return [_without_indent(line, indent) for line in self.lines[start + 1 : end]]


class Splitter:
    """Takes text as it comes and gives pieces. All but the last piece are closed."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.partial = ""
        self._offset = 0
        self._fence = ""
        self._blanks = 0

    def feed(self, text: str) -> None:
        """Take more text."""
        *lines, rest = text.split("\n")
        if lines:
            self._take(self.partial + lines[0])
            for line in lines[1:]:
                self._take(line)
            self.partial = rest
        else:
            self.partial += rest

    def end(self) -> None:
        """There is no more text: what is open is closed, a fence, too."""
        if self.partial:
            self._take(self.partial)
            self.partial = ""
        if self.pieces:
            self.pieces[-1].closed = True

    def tail(self) -> Sequence[Piece]:
        """Give what is not closed yet, as it would be if the text ended here; not a fence that goes on."""
        last = self.pieces[-1] if self.pieces and not self.pieces[-1].closed else None
        copy = Splitter()
        copy._offset, copy._fence, copy._blanks = self._offset, self._fence, self._blanks
        if last is not None:
            copy.pieces.append(Piece(last.kind, list(last.lines), last.gap, language=last.language))
        elif self.pieces:
            closed = self.pieces[-1]
            copy.pieces.append(Piece(closed.kind, closed.lines[:2], closed.gap, closed=True))
        if self.partial:
            copy._take(self.partial)
        return copy.pieces if last is not None else copy.pieces[1 if self.pieces else 0 :]

    @property
    def open_fence(self) -> Piece | None:
        """The fenced block being written, None when there is none."""
        if self.pieces and self.pieces[-1].kind == "fence" and not self.pieces[-1].closed:
            return self.pieces[-1]
        return None

    def closes_fence(self, line: str) -> bool:
        """Whether a line ends the fence that is open, or may be on the way to."""
        text = line.strip()
        return bool(text) and text == self._fence[0] * len(text) and bool(self._fence)

    # Lines ----------------------------------------------------------------------------------------------------------

    def _take(self, line: str) -> None:
        piece = self.pieces[-1] if self.pieces and not self.pieces[-1].closed else None
        text = line.strip()
        indent = _indent(line)
        if piece is not None and piece.kind == "fence":
            piece.lines.append(line)
            if self._ends_fence(text):
                piece.whole = piece.closed = True
                self._fence = ""
        elif self._fence and piece is not None and (not text or indent >= self._offset):
            piece.lines.append(line)
            if self._ends_fence(text):
                self._fence = ""
        elif not text:
            self._fence = ""
            self._blank(piece)
        else:
            if self._fence and piece is not None:
                # The item that holds the fence ends here, and the fence with it.
                piece.closed, piece, self._fence = True, None, ""
            self._words(piece, line, indent)

    def _ends_fence(self, text: str) -> bool:
        mark = self._fence
        return text.startswith(mark) and text == mark[0] * len(text)

    def _blank(self, piece: Piece | None) -> None:
        self._blanks += 1
        if piece is not None and piece.kind == "prose":
            piece.closed = True

    def _words(self, piece: Piece | None, line: str, indent: int) -> None:
        """Take a line that is not blank and stands in no fence."""
        if piece is not None and piece.kind in ("item", "indented") and indent >= self._offset:
            piece.lines.extend([""] * self._blanks)
            piece.lines.append(line)
            self._blanks = 0
            nested = _FENCE.match(line[self._offset :])
            if piece.kind == "item" and nested is not None:
                self._fence = nested[1]
            return
        fence = _FENCE.match(line)
        item = None if _BREAK.match(line) else _ITEM.match(line)
        if fence is not None:
            self._fence = fence[1]
            self._begin("fence", line, language=fence[2].split(" ")[0].strip("{}."))
        elif item is not None and indent < 4 and self._may_begin(piece, item, line):
            self._begin("item", line)
            self._offset = _content_offset(item, line)
            nested = _FENCE.match(line[self._offset :])
            self._fence = nested[1] if nested is not None else ""
        elif _HEADING.match(line):
            self._begin("prose", line)
            self.pieces[-1].closed = True
        elif indent >= 4 and (piece is None or self._blanks):
            self._begin("indented", line)
            self._offset = 4
        elif piece is not None and not self._blanks and piece.kind in ("prose", "item"):
            self._go_on(piece, line)
        else:
            self._begin("prose", line)
            if _BREAK.match(line):
                self.pieces[-1].closed = True

    def _may_begin(self, piece: Piece | None, item: re.Match[str], line: str) -> bool:
        """Whether an item may begin here: in the middle of a paragraph only one with words, and numbered 1."""
        if piece is None or piece.kind != "prose" or self._blanks:
            return True
        return bool(line[item.end() :].strip()) and item[2] in ("-", "*", "+", "1.", "1)")

    def _go_on(self, piece: Piece, line: str) -> None:
        if piece.kind == "prose" and _BREAK.match(line) and not _UNDERLINE.match(line):
            self._begin("prose", line)
            self.pieces[-1].closed = True
            return
        piece.lines.append(line)
        if piece.kind == "prose" and (
            _UNDERLINE.match(line) or (len(piece.lines) >= MAX_PROSE_LINES and not piece.is_table)
        ):
            piece.closed = True

    def _begin(self, kind: Kind, line: str, *, language: str = "") -> None:
        last = self.pieces[-1] if self.pieces else None
        if last is not None:
            last.closed = True
        apart = self._blanks or kind == "fence" or (last is not None and last.kind == "fence")
        apart = apart or (last is not None and last.is_table)
        gap = 1 if last is not None and apart else 0
        self.pieces.append(Piece(kind, [line], gap, language=language))
        self._blanks = 0


def split(text: str) -> list[Piece]:
    """Cut a finished text into pieces."""
    splitter = Splitter()
    splitter.feed(text)
    splitter.end()
    return splitter.pieces


def _indent(line: str) -> int:
    """Count the columns of white space a line begins with."""
    column = 0
    for char in line:
        if char == " ":
            column += 1
        elif char == "\t":
            column += 4 - column % 4
        else:
            break
    return column


def _content_offset(item: re.Match[str], line: str) -> int:
    """Give the column where an item's content stands; what is nested in it is at least so far in."""
    mark = len(item[1]) + len(item[2])
    blanks = item.end() - mark
    return mark + 1 if blanks > 4 or not line[item.end() :].strip() else item.end()


def _without_indent(line: str, indent: int) -> str:
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(indent, blanks) :]
