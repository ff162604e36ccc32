"""A change of a file: numbers, signs, syntax colours, changed words; one column or two side by side.

Rows are laid out at once and drawn when they are looked at, so a long diff is as quick as a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias, overload

from rich.style import Style

from agent_tui.protocol.display import DiffDisplay, Display, Hunk
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted, path_span
from agent_tui.tui.hunks import HunkRow, Sign, cuts, hunk_rows, side_by_side
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
from agent_tui.tui.theme import Background, TextRole
from agent_tui.tui.words import Stretch, changed_words
from agent_tui.tui.wrapping import wrap_code
from agent_tui.view.searching import Needle

ROWS = 20
"""Rows of a diff that are shown of themselves."""
AHEAD = 40
"""Lines coloured at once."""

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
        self._digits = max(4, len(str(largest)))
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
            (page.glyphs.left_out.rjust(self._digits), muted),
            ("   ", muted),
        ]
        spans = self._divided([(text, muted)], self._code_column)
        if self._options.side_by_side:
            spans.append((f" {page.glyphs.left_out:>{self._digits}}", muted))
        line = make_line(page, spans, lead=lead, column=self._code_column)
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
            self._divided([(hunk.heading, where)], self._code_column),
            lead=lead,
            column=self._code_column,
            facts=counts(page, added, removed),
        )

    @property
    def _code_column(self) -> int:
        return TEXT_COLUMN + self._digits + 3

    def _hunk(self, hunk: Hunk) -> None:
        if not self._options.side_by_side:
            for row in hunk_rows(hunk, self._display.path):
                self._unified(row)
            return
        pairs = side_by_side(hunk_rows(hunk, self._display.path))
        for left, right in pairs:
            both = f"{left.text if left else ''}\n{right.text if right else ''}"
            self._makes.append((both, partial(self._both, left, right)))

    # Drawing --------------------------------------------------------------------------------------------------------

    def _unified(self, row: HunkRow) -> None:
        width = self._page.right - self._code_column
        if not self._options.wrap or len(row.text) <= width // 2:
            self._makes.append((row.text, partial(self._line, row, 0)))
            return
        count = len(wrap_code([(row.text, self._page.theme.style())], width))
        self._makes.extend((row.text, partial(self._line, row, part)) for part in range(count))

    def _line(self, row: HunkRow, part: int) -> Line:
        page = self._page
        on = _ground(row.sign)
        width = page.right - self._code_column
        parts = wrap_code(self._spans(row), width, once=not self._options.wrap and part == 0)
        shown = parts[part]
        spans = shown.spans
        whole = row.text if not self._options.wrap else shown.source
        if shown.glue is not None and not self._options.wrap:
            mark = page.glyphs.cut
            spans = [
                *cut_spans(spans, width - len(mark), ""),
                (mark, page.theme.style("muted", on)),
            ]
        return make_line(
            page,
            spans,
            lead=[
                (" " * TEXT_COLUMN, page.theme.style("text")),
                *self._gutter(row, first=part == 0),
            ],
            column=self._code_column,
            on=on,
            source=whole,
            glue=shown.glue if self._options.wrap else None,
        )

    def _gutter(self, row: HunkRow | None, *, first: bool = True, old: bool = False) -> list[Span]:
        page = self._page
        if row is None or not first:
            on = "gap" if row is None else _ground(row.sign)
            return [(" " * (self._digits + 3), page.theme.style("muted", on))]
        roles: dict[Sign, TextRole] = {" ": "muted", "-": "removed", "+": "added"}
        signs: dict[Sign, str] = {" ": " ", "-": page.glyphs.minus, "+": page.glyphs.plus}
        style = page.theme.style(roles[row.sign], _ground(row.sign))
        number = row.old_number if old else row.number
        return [(f"{number:>{self._digits}} {signs[row.sign]} ", style)]

    def _both(self, left: HunkRow | None, right: HunkRow | None) -> Line:
        page, theme = self._page, self._page.theme
        middle = page.width // 2
        half = middle - 1 - TEXT_COLUMN
        spans = self._side(left, half, old=True)
        spans.append((" ", theme.style("text")))
        spans.append((page.glyphs.divide, theme.style("line")))
        spans.append((" ", theme.style("text")))
        spans += self._side(right, page.right - middle - 2)
        line = make_line(page, spans)
        if right is not None:
            line.source = right.text
        return line

    def _side(self, row: HunkRow | None, width: int, *, old: bool = False) -> list[Span]:
        page = self._page
        gutter = self._gutter(row, old=old)
        on: Background = "gap" if row is None else _ground(row.sign)
        room = width - self._digits - 3
        code: list[Span] = []
        if row is not None:
            shown = wrap_code(self._spans(row), room, once=True)[0]
            code = shown.spans
            if shown.glue is not None:
                mark = page.glyphs.cut
                code = [
                    *cut_spans(code, room - len(mark), ""),
                    (mark, page.theme.style("muted", on)),
                ]
        free = room - spans_width(code)
        return [*gutter, *code, (" " * free, page.theme.style("text", on))]

    def _spans(self, row: HunkRow) -> list[Span]:
        """Give a row's code with syntax colours, its changed words on their own ground."""
        marks: list[Stretch] = []
        if row.pair is not None:
            if row.sign == "-":
                marks = changed_words(row.text, row.pair)[0]
            else:
                marks = changed_words(row.pair, row.text)[1]
        pieces = row.code.line(row.at, ahead=AHEAD)
        spans: list[Span] = []
        at = 0
        for text, role in pieces:
            for start, end, marked in cuts(at, at + len(text), marks):
                spans.append((text[start - at : end - at], self._style(row.sign, role, marked)))
            at += len(text)
        return spans

    def _style(self, sign: Sign, role: TextRole, marked: bool) -> Style:
        theme = self._page.theme
        if sign == " ":
            return theme.style(role)
        word: Background = "added_word" if sign == "+" else "removed_word"
        if not theme.tints:
            # The line has the colour of its sign; of the syntax only what is bold is kept.
            if marked:
                return theme.style(role, word)
            bold = theme.style(role).bold or None
            return theme.style("added" if sign == "+" else "removed", bold=bold)
        if marked:
            return theme.style("text" if role == "code.comment" else role, word)
        return theme.style(role, _ground(sign))


def _ground(sign: Sign) -> Background:
    return "added_bg" if sign == "+" else "removed_bg" if sign == "-" else "bg"
