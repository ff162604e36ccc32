"""Selected rows as the text they stand for: no margins, no padding, no facts, no breaks that the screen made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual.geometry import Offset
from textual.selection import Selection

from agent_tui.tui.blocks.answer import Document
from agent_tui.tui.lines import Line, width_of
from agent_tui.tui.panes.parts import Part, PiecePart
from agent_tui.tui.panes.reel import Reel
from agent_tui.view.clean import clean

STRIDE = 1 << 20
"""Textual names a selected row by one number: here part * STRIDE + row of the part."""

_WORD = re.compile(r"[\w./~@%+-]*\w[\w/]*|\S")


class Spot(NamedTuple):
    """A place in the conversation: part, row of the part (the gap first), character of the row's text."""

    at: int
    row: int
    x: int


def row_number(at: int, row: int) -> int:
    """Give the number Textual is told for a row of a part."""
    return at * STRIDE + row


def spot_of(offset: Offset | None) -> Spot | None:
    """Give the spot of an end of Textual's selection."""
    if offset is None:
        return None
    at, row = divmod(offset.y, STRIDE)
    return Spot(at, row, offset.x)


def selection_of(start: Spot, end: Spot) -> Selection:
    """Give Textual's selection from one spot up to another."""
    return Selection(
        Offset(start.x, row_number(start.at, start.row)), Offset(end.x, row_number(end.at, end.row))
    )


def shifted(selection: Selection, parts: int) -> Selection:
    """Give the selection of the same text after parts were put before all others."""
    return Selection(*(end and Offset(end.x, end.y + parts * STRIDE) for end in selection))


@dataclass(frozen=True, slots=True)
class _Section:
    """Rows that belong together: the whole body of a part, or what one piece of markdown makes."""

    lines: Sequence[Line]
    first: Spot
    last: Spot
    gap: int
    source: str | None


def text_between(reel: Reel, start: Spot | None, end: Spot | None) -> str:
    """Give the text from one spot up to another (None: from the beginning, to the end).

    Pieces of markdown that are selected whole, with something else, are given as their source.
    """
    sections = list(_sections(reel, start, end))
    out = ""
    for section in sections:
        whole = _is_in(section.first, start, end) and _is_in(section.last, start, end)
        if whole and section.source is not None and len(sections) > 1:
            text = section.source
        else:
            text = _rows_text(section, start, end)
        if text:
            out += ("\n" * (1 + section.gap) if out else "") + text
    return clean(out)  # a source is as it came; what is pasted elsewhere must not drive a terminal


def _is_in(spot: Spot, start: Spot | None, end: Spot | None) -> bool:
    return (start is None or start <= spot) and (end is None or spot <= end)


def _sections(reel: Reel, start: Spot | None, end: Spot | None) -> Iterator[_Section]:
    first = 0 if start is None else min(start.at, len(reel.parts) - 1)
    last = len(reel.parts) - 1 if end is None else min(end.at, len(reel.parts) - 1)
    for at in range(first, last + 1):
        reel.measure(at)
        part = reel.parts[at]
        for begin, stop, gap, source in _stretches(part):
            body = part.body
            assert body is not None
            lines = body[begin:stop]
            if not lines:
                continue
            top = Spot(at, part.gap + begin, lines[0].start)
            bottom = Spot(at, part.gap + stop - 1, lines[-1].end)
            if (end is None or top < end) and (start is None or bottom >= start):
                yield _Section(lines, top, bottom, gap, source)


def _stretches(part: Part) -> Iterator[tuple[int, int, int, str | None]]:
    body = part.body or ()
    if isinstance(body, Document):
        before = -part.gap
        for begin, stop, source in body.sections:
            yield begin, stop, begin - before, source
            before = stop
    elif isinstance(part, PiecePart):
        yield 0, len(body), part.gap, part.piece.source
    else:
        yield 0, len(body), part.gap, None


def _rows_text(section: _Section, start: Spot | None, end: Spot | None) -> str:
    out = ""
    glue: str | None = None
    begun = False
    for number, line in enumerate(section.lines):
        at, row = section.first.at, section.first.row + number
        here = (at, row)
        if start is not None and here < start[:2]:
            continue
        if end is not None and here > end[:2]:
            break
        left = start.x if start is not None and here == start[:2] else 0
        right = end.x if end is not None and here == end[:2] else line.end
        if begun:
            out += "\n" if glue is None else glue
        begun = True
        glue = line.glue
        if line.source is not None and left <= line.start and right >= line.end:
            out += line.source
        else:
            out += line.strip.text[max(left, line.start) : max(line.start, min(right, line.end))]
    return out.rstrip("\n") if section.lines[-1].folds else out


def character_at(line: Line, x: int) -> int:
    """Give the character of the row that is drawn at a cell."""
    cells = 0
    text = line.strip.text
    for at, char in enumerate(text):
        cells += width_of(char)
        if x < cells:
            return at
    return len(text)


def word_at(line: Line, x: int) -> tuple[int, int]:
    """Give the first and the last-but-one character of the word at a character of the row."""
    text = line.strip.text
    for match in _WORD.finditer(text):
        if match.start() <= x < match.end():
            return match.span()
    return x, min(x + 1, len(text))


def line_at(reel: Reel, at: int, row: int) -> tuple[Spot, Spot]:
    """Give the first and last spot of the line a row is part of: its rows, joined where the screen broke them."""
    reel.measure(at)
    part = reel.parts[at]
    body = part.body or ()
    first = last = max(0, row - part.gap)
    while first > 0 and body[first - 1].glue is not None:
        first -= 1
    while last < len(body) - 1 and body[last].glue is not None:
        last += 1
    return (
        Spot(at, part.gap + first, body[first].start),
        Spot(at, part.gap + last, body[last].end),
    )
