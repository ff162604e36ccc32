"""Where a text stands in rows that were drawn, also across the breaks that the screen made.

Bodies that draw their rows when asked (code, output, diffs) are asked which of their rows may hold it, so that only
those are drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from agent_tui.tui.lines import Line
from agent_tui.view.searching import Needle

FAR = 200
"""Rows up to which a line the screen has broken is followed: the text is not longer, and a line may be endless."""


class Stretch(NamedTuple):
    """Characters of one row of a body, from ``start`` up to ``end`` of the row's text."""

    row: int
    start: int
    end: int


@runtime_checkable
class Lazy(Protocol):
    """A body whose rows are made when they are asked for."""

    def rows_with(self, needle: Needle) -> Iterable[int]:
        """Give, in order, all rows of the lines that hold the text."""
        ...


def places(body: Sequence[Line], needle: Needle) -> Iterator[tuple[Stretch, ...]]:
    """Give each place of a body, in order, as the stretches of rows it takes."""
    candidates = body.rows_with(needle) if isinstance(body, Lazy) else range(len(body))
    done = 0
    for row in candidates:
        if row < done or not 0 <= row < len(body):
            continue
        first, last = line_around(body, row)
        done = last + 1
        yield from _in_line(body, first, last, needle)


def stretches_in_row(body: Sequence[Line], row: int, needle: Needle) -> tuple[tuple[int, int], ...]:
    """Give the characters of one row that belong to a place."""
    first, last = line_around(body, row)
    return tuple(
        (stretch.start, stretch.end)
        for place in _in_line(body, first, last, needle)
        for stretch in place
        if stretch.row == row
    )


def line_around(body: Sequence[Line], row: int) -> tuple[int, int]:
    """Give the first and last row of the line a row is part of, as far as that is near."""
    first = last = row
    while first > max(0, row - FAR) and body[first - 1].glue is not None:
        first -= 1
    while last < min(len(body) - 1, row + FAR) and body[last].glue is not None:
        last += 1
    return first, last


def _in_line(
    body: Sequence[Line], first: int, last: int, needle: Needle
) -> Iterator[tuple[Stretch, ...]]:
    text = ""
    begins: list[int] = []
    for row in range(first, last + 1):
        begins.append(len(text))
        line = body[row]
        text += line.content + (line.glue or "" if row < last else "")
    for match in needle.finditer(text):
        yield tuple(_stretches(body, first, begins, *match.span()))


def _stretches(
    body: Sequence[Line], first: int, begins: Sequence[int], start: int, end: int
) -> Iterator[Stretch]:
    for at in range(bisect_right(begins, start) - 1, len(begins)):
        if begins[at] >= end:
            return
        line = body[first + at]
        left = line.start + max(0, start - begins[at])
        right = min(line.end, line.start + end - begins[at])
        if right > left:
            yield Stretch(first + at, left, right)
