"""How a typed text is laid out: its characters as a person counts them, and the rows it takes at a width."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rich.cells import split_graphemes

from agent_tui.tui.chips import Chip

if TYPE_CHECKING:
    from agent_tui.tui.editor import Editor

TAB = 4
Spot: TypeAlias = tuple[int, int, int, str]
"""A drawn character: start and end in the text, width in cells, what is drawn."""


def clusters(text: str) -> list[tuple[int, int, int]]:
    """Split into what a person calls characters: (start, end, cells); nothing has width 0 but a first mark."""
    if "\t" not in text:
        return split_graphemes(text)[0]
    out: list[tuple[int, int, int]] = []
    at = 0
    for part in text.split("\t"):
        out += [(at + start, at + end, width) for start, end, width in split_graphemes(part)[0]]
        at += len(part) + 1
        out.append((at - 1, at, 1))  # a tab would count as a mark of the character before it
    return out[:-1]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the wrapped text: from ``start`` to ``end`` (without a line break), and its characters."""

    start: int
    end: int
    spots: tuple[Spot, ...]

    def column(self, at: int) -> int:
        """Give the cell at which index ``at`` begins."""
        return sum(width for _start, end, width, _draw in self.spots if end <= at)

    def index(self, column: int) -> int:
        """Give the index of the character drawn at a cell; behind the last one, the end."""
        x = 0
        for start, _end, width, _draw in self.spots:
            if column < x + max(width, 1):
                return start
            x += width
        return self.end


class Wrapped:
    """The rows of a text at a width; wraps only lines it has not seen lately."""

    def __init__(self, draw: Callable[[str], str] | None = None) -> None:
        self._draw = draw
        self._seen: dict[tuple[str, int], tuple[tuple[Spot, ...], ...]] = {}

    def rows(self, editor: Editor, width: int) -> list[Row]:
        """Give the rows; there is at least one."""
        out: list[Row] = []
        start = 0
        for line in editor.text.split("\n"):
            for spots in self._line(line, editor.chips, width):
                moved = tuple((s + start, e + start, w, d) for s, e, w, d in spots)
                first = moved[0][0] if moved else start
                out.append(Row(first, moved[-1][1] if moved else start, moved))
            start += len(line) + 1
        return out

    def _line(
        self, line: str, chips: Mapping[str, Chip], width: int
    ) -> tuple[tuple[Spot, ...], ...]:
        made = self._seen.get((line, width))
        if made is None:
            if len(self._seen) > 500:
                self._seen.clear()
            made = self._seen[line, width] = _wrap(self._spots(line, chips), max(width, 2))
        return made

    def _spots(self, line: str, chips: Mapping[str, Chip]) -> list[Spot]:
        out: list[Spot] = []
        x = 0
        for start, end, width in clusters(line):
            text = line[start:end]
            if text[0] in chips:
                draw = chips[text[0]].label
                width = len(draw)
            elif text == "\t":
                width = TAB - x % TAB
                draw = " " * width
            else:
                draw = self._draw(text) if self._draw else text
                width = width if draw == text else len(draw)
            out.append((start, end, width, draw))
            x += width
        return out


def _wrap(spots: list[Spot], width: int) -> tuple[tuple[Spot, ...], ...]:
    """Break at blanks, else anywhere. A row may hold ``width`` cells; blanks at its end don't count."""
    rows: list[tuple[Spot, ...]] = []
    row: list[Spot] = []
    used = 0
    for spot in spots:
        while row and used + spot[2] > width and spot[3] != " ":
            cut = max((i + 1 for i, s in enumerate(row) if s[3] == " "), default=len(row))
            rows.append(tuple(row[:cut]))
            row = row[cut:]
            used = sum(s[2] for s in row)
        row.append(spot)
        used += spot[2]
    rows.append(tuple(row))
    return tuple(rows)
