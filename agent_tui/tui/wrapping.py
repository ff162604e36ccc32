"""Breaks styled text into rows: prose at blanks and between wide characters, code anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from rich.style import Style

from agent_tui.tui.lines import Span, take, width_of

TAB = 4
"""Columns between tab stops in code and output."""

# Scripts that may be broken between any two characters: CJK, kana, Hangul, full-width forms.
_WIDE = "\u1100-\u115e\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\uffe0-\uffe6\U00020000-\U0003fffd"


@cache
def _words() -> re.Pattern[str]:
    """Make the pattern of words when the first one is wrapped: it takes long."""
    return re.compile(rf"[ \t]+|[{_WIDE}]|[^ \t{_WIDE}]+")


@dataclass(slots=True)
class Row:
    """Spans of one row, and what the wrap swallowed behind them; ``glue`` None: a line break, or the end."""

    spans: list[Span] = field(default_factory=list[Span])
    glue: str | None = None


def split_lines(spans: Iterable[Span]) -> list[list[Span]]:
    """Break spans at the line feeds in their text."""
    lines: list[list[Span]] = [[]]
    for text, style in spans:
        first, *more = text.split("\n")
        if first:
            lines[-1].append((first, style))
        lines.extend([(piece, style)] if piece else [] for piece in more)
    return lines


def wrap_prose(spans: Sequence[Span], width: int) -> list[Row]:
    """Break text into rows of at most ``width`` cells, at blanks; a word longer than a row is broken."""
    width = max(2, width)
    rows: list[Row] = []
    for line in split_lines(spans):
        if sum(width_of(text) for text, _ in line) <= width:
            rows.append(Row(line))
        else:
            rows.extend(_Wrap(width).run(line))
    return rows


class _Wrap:
    """One line being broken. A word may be made of several spans; it moves to the next row as a whole."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.rows: list[Row] = []
        self.row: list[Span] = []
        self.used = 0
        self.word: list[Span] = []
        self.word_width = 0
        self.blank: list[Span] = []

    def run(self, line: Sequence[Span]) -> list[Row]:
        for text, style in line:
            for match in _words().finditer(text):
                piece = match[0]
                if piece[0] in " \t":
                    self._place()
                    self.blank.append((piece, style))
                elif len(piece) == 1 and width_of(piece) == 2:
                    self._place()
                    self.word, self.word_width = [(piece, style)], 2
                    self._place()
                else:
                    self.word.append((piece, style))
                    self.word_width += width_of(piece)
        self._place()
        self.rows.append(Row(self.row))
        return self.rows

    def _place(self) -> None:
        """Put the word that is complete into this row, or a new one."""
        if not self.word:
            return
        blank_width = sum(width_of(text) for text, _ in self.blank)
        fits = self.used + blank_width + self.word_width <= self.width
        if fits or (not self.row and not self.rows and blank_width + 2 <= self.width):
            self.row.extend(self.blank)
            self.used += blank_width
        else:
            self._break("".join(text for text, _ in self.blank))
        self.blank = []
        for text, style in self.word:
            self._put(text, style)
        self.word, self.word_width = [], 0

    def _put(self, text: str, style: Style) -> None:
        while True:
            room = self.width - self.used
            piece = take(text, room) if width_of(text) > room else text
            if piece:
                self.row.append((piece, style))
                self.used += width_of(piece)
            text = text[len(piece) :]
            if not text:
                return
            self._break("")

    def _break(self, glue: str) -> None:
        self.rows.append(Row(self.row, glue))
        self.row, self.used = [], 0


@dataclass(slots=True)
class CodeRow:
    """One row of code: its spans with tabs drawn as blanks, and the text of the source it stands for."""

    spans: list[Span]
    source: str
    glue: str | None = None


def wrap_code(spans: Sequence[Span], width: int, *, once: bool = False) -> list[CodeRow]:
    """Break one line of code at the edge, wherever that is; with ``once`` only the first row is made."""
    text = "".join(text for text, _ in spans)
    if "\t" not in text and width_of(text) <= width:
        return [CodeRow(list(spans), text)]
    rows: list[CodeRow] = []
    row = CodeRow([], "")
    used = column = 0
    for piece, style in spans:
        for part in re.split("(\t)", piece):
            rest = part
            while rest:
                drawn = " " * (TAB - column % TAB) if rest == "\t" else rest
                room = width - used
                shown = drawn if width_of(drawn) <= room else take(drawn, room)
                if shown or not used:
                    shown = shown or drawn[:1]
                    taken = rest if rest == "\t" else shown
                    row.spans.append((shown, style))
                    row.source += taken
                    used += width_of(shown)
                    column += width_of(shown)
                    rest = "" if rest == "\t" else rest[len(shown) :]
                if rest:
                    row.glue = ""
                    rows.append(row)
                    if once:
                        return rows
                    row, used = CodeRow([], ""), 0
    rows.append(row)
    return rows
