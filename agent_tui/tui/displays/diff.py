"""A change of a file: numbers, signs, syntax colours, changed words; one column or two side by side.

Rows are laid out at once and drawn when they are looked at, so a long diff is as quick as a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias, overload

from agent_tui.protocol.display import DiffDisplay, Display, Hunk
from agent_tui.tui.diffpaint import DiffPainter
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted, path_span
from agent_tui.tui.hunks import HunkRow, hunk_rows, side_by_side
from agent_tui.tui.lines import (
    TEXT_COLUMN,
    Line,
    Page,
    Span,
    blank_line,
    cut_spans,
    make_line,
    spans_width,
)
from agent_tui.tui.output import fold_row
from agent_tui.view.searching import Needle

ROWS = 20
"""Rows of a diff that are shown of themselves."""

Make: TypeAlias = Callable[[], Line]


def head(display: Display, page: Page) -> Head:
    """Say which file, and how much was added and removed."""
    assert isinstance(display, DiffDisplay)
    theme = page.theme
    room = max(12, page.text_width - 34)
    spans: list[Span] = [path_span(page, display.path, room, theme.style("text"))]
    if display.created:
        spans.append((" new", theme.style("muted")))
    return Head(tuple(spans), (counts(page, display.added, display.removed),))


def counts(page: Page, added: int, removed: int) -> tuple[Span, ...]:
    """Give ``+10 −4``; what is none is left out."""
    theme = page.theme
    spans: list[Span] = []
    if added:
        spans.append((f"{page.glyphs.plus}{added}", theme.style("added")))
    if removed:
        if spans:
            spans.append((" ", theme.style("text")))
        spans.append((f"{page.glyphs.minus}{removed}", theme.style("removed")))
    return tuple(spans)


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give the rows of the diff; the rest of a long one folded unless expanded."""
    assert isinstance(display, DiffDisplay)
    rows = _Layout(display, page, options).rows()
    most = ROWS if options.max_rows is None else options.max_rows
    if options.expanded or len(rows) <= most + 1:
        return rows
    return rows.head(most, len(rows) - most)


class Rows(Sequence[Line]):
    """Rows that are drawn when they are asked for."""

    def __init__(self, page: Page, makes: Sequence[tuple[str, Make]]) -> None:
        self._page = page
        self._makes = list(makes)
        self._made: dict[int, Line] = {}

    def head(self, count: int, hidden: int) -> Rows:
        """Give the first rows and one that says how many there are more."""
        fold = partial(fold_row, self._page, counted(hidden, "more line"))
        return Rows(self._page, [*self._makes[:count], ("", fold)])

    def rows_with(self, needle: Needle) -> Iterator[int]:
        """Give the rows that hold a text, without drawing them."""
        return (at for at, (text, _) in enumerate(self._makes) if needle.search(text))

    def __len__(self) -> int:
        return len(self._makes)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        index = index + len(self) if index < 0 else index
        if index not in self._made:
            self._made[index] = self._makes[index][1]()
        return self._made[index]

    def __iter__(self) -> Iterator[Line]:
        return (self[at] for at in range(len(self)))


class _Layout:
    """Lays out all hunks of a display."""

    def __init__(self, display: DiffDisplay, page: Page, options: Options) -> None:
        self._display = display
        self._page = page
        self._options = options
        largest = max(
            (max(h.old_start + h.old_lines, h.new_start + h.new_lines) for h in display.hunks),
            default=1,
        )
        self._paint = DiffPainter(page, max(4, len(str(largest))), wrap=options.wrap)
        self._makes: list[tuple[str, Make]] = []

    def rows(self) -> Rows:
        """Give the rows of all hunks, or of the one that is wanted."""
        last: Hunk | None = None
        for number, hunk in enumerate(self._display.hunks):
            if self._options.only is not None and number != self._options.only:
                continue
            if last is not None:
                self._between(last, hunk)
            if self._options.chosen is not None:
                self._makes.append((hunk.heading, partial(self._head, number, hunk)))
            self._hunk(hunk)
            last = hunk
        if self._display.truncated:
            text = f"{counted(self._display.truncated, 'line')} left out"
            self._makes.append(("", partial(self._left_out, text)))
        return Rows(self._page, self._makes)

    def _between(self, upper: Hunk, lower: Hunk) -> None:
        if self._options.chosen is not None:
            self._makes.append(("", self._blank))
            if not self._options.side_by_side:
                return
        between = lower.new_start - (upper.new_start + upper.new_lines)
        if between > 0:
            words = counted(between, "unchanged line")
            self._makes.append(("", partial(self._left_out, words)))
            if self._options.chosen is not None:
                self._makes.append(("", self._blank))

    def _blank(self) -> Line:
        if not self._options.side_by_side:
            return blank_line(self._page)
        line = make_line(self._page, self._divided([], TEXT_COLUMN))
        line.end = line.start
        return line

    def _divided(self, spans: list[Span], column: int) -> list[Span]:
        """Give spans that begin at a column, cut or filled up to the line between the two sides, and that line."""
        if not self._options.side_by_side:
            return spans
        theme = self._page.theme
        room = self._page.width // 2 - column
        left = cut_spans(spans, room - 1, self._page.glyphs.cut)
        fill = (" " * (room - spans_width(left)), theme.style("text"))
        return [*left, fill, (self._page.glyphs.divide, theme.style("line"))]

    def _left_out(self, text: str) -> Line:
        page = self._page
        muted = page.theme.style("muted")
        lead = [
            (" " * TEXT_COLUMN, muted),
            (page.glyphs.left_out.rjust(self._paint.digits), muted),
            ("   ", muted),
        ]
        spans = self._divided([(text, muted)], self._paint.code_column)
        if self._options.side_by_side:
            spans.append((f" {page.glyphs.left_out:>{self._paint.digits}}", muted))
        line = make_line(page, spans, lead=lead, column=self._paint.code_column)
        line.end = line.start
        return line

    def _head(self, number: int, hunk: Hunk) -> Line:
        """Draw a hunk's head: chosen or not, its number, where it is, its counts."""
        page, theme = self._page, self._page.theme
        chosen = number in (self._options.chosen or ())
        current = number == self._options.current
        box = page.glyphs.checked if chosen else page.glyphs.unchecked
        added = sum(line.startswith("+") for line in hunk.lines)
        removed = sum(line.startswith("-") for line in hunk.lines)
        lead: list[Span] = [(" ", theme.style("text"))]
        lead.append((page.glyphs.prompt if current else " ", theme.style("accent")))
        lead += [(" ", theme.style("text")), (box, theme.style("accent", bold=True))]
        lead.append((f" {number + 1}".ljust(4), theme.style("strong", bold=True)))
        where = theme.style("strong", bold=True) if current else theme.style("muted")
        return make_line(
            page,
            self._divided([(hunk.heading, where)], self._paint.code_column),
            lead=lead,
            column=self._paint.code_column,
            facts=counts(page, added, removed),
        )

    def _hunk(self, hunk: Hunk) -> None:
        if not self._options.side_by_side:
            for row in hunk_rows(hunk, self._display.path):
                self._unified(row)
            return
        pairs = side_by_side(hunk_rows(hunk, self._display.path))
        for left, right in pairs:
            both = f"{left.text if left else ''}\n{right.text if right else ''}"
            self._makes.append((both, partial(self._paint.both, left, right)))

    def _unified(self, row: HunkRow) -> None:
        paint = self._paint
        self._makes.extend(
            (row.text, partial(paint.line, row, part)) for part in range(paint.parts(row))
        )
