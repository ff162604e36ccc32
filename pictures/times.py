"""Fixed times where the real ones differ from run to run, so that the same state gives the same picture.

A time is replaced where it stands. When the new one is longer or shorter, what is aligned with the right edge stays so,
and all else begins where it began.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pictures.grid import Cell, Grid

GAP = 4
"""So many blanks in a row part what is aligned with the left from what is aligned with the right."""
EDGE = 3
"""Facts end in one of so many last columns."""

_EDGE = r" *[│┃▕▐]? *$"
_TIME = r"(?<![\d.:])(\d+(?:\.\d)? s|\d+:\d\d)"
CLOCK = rf"^ [›>] .*(?<!\d)(\d\d:\d\d){_EDGE}"
"""When a prompt was sent."""
WAITS = rf"waiting for you {{3}}{_TIME}{_EDGE}"
BRIEF = rf"^ [●*] (?:Read|Grep|Glob|Edit|Write|Bash  git status)\b.*?( {{3,}}{_TIME}){_EDGE}"
"""How long a call took that takes no time to speak of: it is told from a twentieth of a second on, so taken away."""
TOOK = rf"^(?! [›>] )(?!.*waiting).* {{3}}{_TIME}{_EDGE}"
"""How long a call, or a whole prompt, took."""
THOUGHT = r"Thought for (\d+(?:\.\d)? s|\d+:\d\d)"


@dataclass(frozen=True, slots=True)
class Fixed:
    """One kind of time and what stands for it.

    Attributes:
        pattern: a regular expression; its first group is replaced, once a row.
        texts: for the first match on the screen, the second, …; the last one for all that follow.
    """

    pattern: str
    texts: tuple[str, ...]


def with_fixed(grid: Grid, times: Iterable[Fixed]) -> Grid:
    """Give the grid with fixed times in it."""
    rows = list(grid.rows)
    for fixed in times:
        left = list(fixed.texts)
        for number, row in enumerate(rows):
            found = re.search(fixed.pattern, _by_column(row))
            if found is not None:
                text = left.pop(0) if len(left) > 1 else left[0]
                rows[number] = _put(row, *found.span(1), text)
    return Grid(tuple(rows))


def _put(row: tuple[Cell, ...], start: int, end: int, text: str) -> tuple[Cell, ...]:
    """Replace cells by a text."""
    look = row[start]
    new = tuple(replace(look, text=char) for char in text)
    more = len(new) - (end - start)
    blank = Cell(paper=look.paper)
    stop = _end_of_part(row, end)
    if stop >= len(row) - EDGE:
        begin = _begin_of_part(row, start)
        before = row[:begin]
        before = before[:-more] if more > 0 else (*before, *[blank] * -more)
        return (*before, *row[begin:start], *new, *row[end:])
    rest = row[stop:]
    rest = rest[more:] if more > 0 else (*[blank] * -more, *rest)
    return (*row[:start], *new, *row[end:stop], *rest)


def _end_of_part(row: Sequence[Cell], column: int) -> int:
    """Give the column where the next wide gap begins, or the row's text ends."""
    text = _by_column(row)
    found = text.find(" " * GAP, column)
    return len(text.rstrip()) if found < 0 else found


def _begin_of_part(row: Sequence[Cell], column: int) -> int:
    """Give the column where the wide gap before it ends."""
    found = _by_column(row).rfind(" " * GAP, 0, column)
    return column if found < 0 else found + GAP


def _by_column(row: Sequence[Cell]) -> str:
    """Give the text of a row, one character per cell."""
    return "".join(cell.text[:1] or "\u3000" for cell in row)
