"""Tables: a bold head over a rule, columns two or more blanks apart, no other lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.tui.lines import Line, Page, Span, make_line, spans_width
from agent_tui.tui.wrapping import Row, wrap_prose

Align: TypeAlias = Literal["left", "right", "center"]

GAP = 2
WIDE_GAP = 8
MIN_COLUMN = 5
"""Narrower than this a column can't be read: the table is drawn as a list."""


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as spans, row by row; ``sources`` are the source lines of head, rule and rows, for copying."""

    head: tuple[tuple[Span, ...], ...]
    rows: tuple[tuple[tuple[Span, ...], ...], ...]
    aligns: tuple[Align, ...]
    sources: tuple[str, ...] = ()


def draw_table(page: Page, table: Table, *, column: int, width: int) -> list[Line]:
    """Draw a table from ``column`` on in at most ``width`` cells; what is too wide wraps inside its cell."""
    widths = _fit(table, width)
    if widths is None:
        return _as_list(page, table, column, width)
    gap = GAP
    if len(widths) > 1:
        gap = max(GAP, min(WIDE_GAP, (width - sum(widths)) // (len(widths) - 1)))
    sources = iter(table.sources)
    lines = _row(page, table.head, widths, table.aligns, gap, column, next(sources, None))
    total = sum(widths) + gap * (len(widths) - 1)
    rule = (page.glyphs.rule * total, page.theme.style("line"))
    lines.append(make_line(page, [rule], column=column, source=next(sources, "")))
    for row in table.rows:
        lines.extend(_row(page, row, widths, table.aligns, gap, column, next(sources, None)))
    return lines


def _fit(table: Table, width: int) -> list[int] | None:
    """Give each column its natural width, or less where that is too much; None when it can't be read then."""
    count = len(table.head)
    natural = [
        max(1, spans_width(table.head[at]), *(spans_width(row[at]) for row in table.rows))
        for at in range(count)
    ]
    room = width - GAP * (count - 1)
    if sum(natural) <= room:
        return natural
    # Columns that need less than a fair share keep what they need; the others share the rest.
    widths = [0] * count
    wide = list(range(count))
    while wide:
        share = room // len(wide)
        small = [at for at in wide if natural[at] <= share]
        if not small:
            break
        for at in small:
            widths[at] = natural[at]
            room -= natural[at]
        wide = [at for at in wide if at not in small]
    for number, at in enumerate(wide):
        widths[at] = room // (len(wide) - number)
        room -= widths[at]
    return widths if all(widths[at] >= MIN_COLUMN for at in wide) else None


def _row(
    page: Page,
    cells: Sequence[Sequence[Span]],
    widths: Sequence[int],
    aligns: Sequence[Align],
    gap: int,
    column: int,
    source: str | None,
) -> list[Line]:
    paper = page.theme.style("text")
    wrapped = [wrap_prose(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines: list[Line] = []
    for number in range(max(len(rows) for rows in wrapped)):
        spans: list[Span] = []
        pad = 0
        for rows, width, align in zip(wrapped, widths, aligns, strict=True):
            row = rows[number] if number < len(rows) else Row()
            free = width - spans_width(row.spans)
            left = free if align == "right" else free // 2 if align == "center" else 0
            if pad + left:
                spans.append((" " * (pad + left), paper))
            spans.extend(row.spans)
            pad = free - left + gap
        last = number == max(len(rows) for rows in wrapped) - 1
        lines.append(
            make_line(
                page,
                spans,
                column=column,
                source=source if number == 0 else "",
                glue=None if last else "",
            )
        )
    return lines


def _as_list(page: Page, table: Table, column: int, width: int) -> list[Line]:
    """Draw each row as lines of head and value."""
    lines: list[Line] = []
    muted = page.theme.style("muted")
    for number, row in enumerate(table.rows):
        if number:
            lines.append(make_line(page, [], column=column))
        for head, cell in zip(table.head, row, strict=True):
            lines.extend(
                make_line(page, part.spans, column=column, glue=part.glue)
                for part in wrap_prose([*head, ("  ", muted), *cell], width)
            )
    return lines
