"""Code on a band, row by row: coloured and laid out when a row is asked for, growing at the end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import overload

from agent_tui.tui.highlight import Code, code_of
from agent_tui.tui.lines import TEXT_COLUMN, Line, Page, Span, make_line, width_of
from agent_tui.tui.theme import Background
from agent_tui.tui.wrapping import TAB, wrap_code
from agent_tui.view.clean import clean
from agent_tui.view.searching import Needle

INSET = 2
"""Blanks between the band's edge and the code."""
AHEAD = 40


class CodeRows(Sequence[Line]):
    """Rows of a piece of code. ``label`` stands at the right of the first row, where there is room."""

    def __init__(
        self,
        page: Page,
        code: Code,
        lines: Sequence[str],
        *,
        column: int = TEXT_COLUMN,
        label: str = "",
        on: Background = "surface",
        inset: int = INSET,
    ) -> None:
        self._page = page
        self._code = code
        self._lines: list[str] = []
        self._column = column + inset
        self._label = label
        self._on: Background = on
        self._width = max(4, page.right - self._column - (1 if inset else 0))
        self._starts: list[int] = []
        self._count = 0
        self._made: dict[int, list[Line]] = {}
        self.extend(lines, coded=True)

    def extend(self, lines: Sequence[str], *, coded: bool = False) -> None:
        """Add lines at the end; with ``coded`` the code has them already."""
        if not coded:
            self._code.extend(lines)
        for line in lines:
            self._starts.append(self._count)
            self._count += self._rows_of(line)
        self._lines.extend(lines)

    def replace_last(self, line: str) -> None:
        """Change the last line."""
        self._code.replace_last(line)
        self._lines[-1] = line
        self._count = self._starts[-1] + self._rows_of(line)
        self._made.pop(len(self._lines) - 1, None)

    def drop_last(self) -> None:
        """Take the last line away again."""
        self._code.drop_last()
        self._lines.pop()
        self._count = self._starts.pop()
        self._made.pop(len(self._lines), None)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._count))]
        index = index + self._count if index < 0 else index
        if not 0 <= index < self._count:
            raise IndexError(index)
        at = bisect_right(self._starts, index) - 1
        if at not in self._made:
            self._made[at] = self._make(at)
        rows = self._made[at]
        return rows[min(index - self._starts[at], len(rows) - 1)]

    def __iter__(self) -> Iterator[Line]:
        return (self[at] for at in range(self._count))

    def rows_with(self, needle: Needle) -> Iterator[int]:
        """Give the rows of the lines that hold a text, without drawing them."""
        for at, line in enumerate(self._lines):
            if needle.search(line):
                yield from range(self._starts[at], self._starts[at] + self._rows_of(line))

    def _rows_of(self, line: str) -> int:
        if "\t" in line or not line.isascii():
            width = width_of(line.expandtabs(TAB))
            return (
                len(wrap_code([(line, self._page.theme.style())], self._width))
                if width > self._width
                else 1
            )
        return max(1, -(-len(line) // self._width))

    def _make(self, at: int) -> list[Line]:
        theme, on = self._page.theme, self._on
        pieces = self._code.line(at, ahead=AHEAD)
        spans: list[Span] = [(clean(text), theme.style(role, on)) for text, role in pieces]
        made: list[Line] = []
        for number, row in enumerate(wrap_code(spans, self._width)):
            facts: list[Span] = []
            if self._label and at == 0 and number == 0:
                used = sum(width_of(text) for text, _ in row.spans)
                if used + width_of(self._label) + 4 <= self._width:
                    facts = [
                        (self._label, theme.style("muted", on)),
                        (" ", theme.style("text", on)),
                    ]
            made.append(
                make_line(
                    self._page,
                    row.spans,
                    on=on,
                    column=self._column,
                    facts=facts,
                    glue=row.glue,
                    source=row.source,
                )
            )
        return made


def code_rows(
    page: Page,
    lines: Sequence[str],
    *,
    language: str = "",
    path: str = "",
    column: int = TEXT_COLUMN,
) -> CodeRows:
    """Give the rows of finished code; its language is known by name or by a file's path."""
    code = code_of(lines, language=language, path=path)
    return CodeRows(page, code, lines, column=column, label=language)
