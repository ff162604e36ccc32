"""Draws single lines of a diff: number, sign, code with syntax colours, changed words on their own ground."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style

from agent_tui.tui.hunks import HunkRow, Sign, cuts
from agent_tui.tui.lines import (
    TEXT_COLUMN,
    Line,
    Page,
    Span,
    cut_spans,
    make_line,
    spans_width,
)
from agent_tui.tui.theme import Background, TextRole
from agent_tui.tui.words import Stretch, changed_words
from agent_tui.tui.wrapping import wrap_code

AHEAD = 40
"""Lines coloured at once."""


def ground(sign: Sign) -> Background:
    """Give the ground a line stands on."""
    return "added_bg" if sign == "+" else "removed_bg" if sign == "-" else "bg"


@dataclass(frozen=True, slots=True)
class DiffPainter:
    """Draws for one page.

    Attributes:
        digits: room for numbers.
        column: where the numbers' column begins.
        wrap: long lines go on in further rows instead of being cut.
    """

    page: Page
    digits: int = 4
    column: int = TEXT_COLUMN
    wrap: bool = False

    @property
    def code_column(self) -> int:
        """Where the code begins."""
        return self.column + self.digits + 3

    def parts(self, row: HunkRow) -> int:
        """Count the rows a line takes."""
        width = self.page.right - self.code_column
        if not self.wrap or len(row.text) <= width // 2:
            return 1
        return len(wrap_code([(row.text, self.page.theme.style())], width))

    def line(self, row: HunkRow, part: int = 0, margin: Span | None = None) -> Line:
        """Draw one row of a line; ``margin`` is what stands in the first column."""
        page, on = self.page, ground(row.sign)
        width = page.right - self.code_column
        wrapped = wrap_code(self.spans(row), width, once=not self.wrap and part == 0)
        shown = wrapped[part]
        spans = shown.spans
        if shown.glue is not None and not self.wrap:
            mark = page.glyphs.cut
            cut = (mark, page.theme.style("muted", on))
            spans = [*cut_spans(spans, width - len(mark), ""), cut]
        return make_line(
            page,
            spans,
            lead=[*self._margin(margin), *self.gutter(row, first=part == 0)],
            column=self.code_column,
            on=on,
            source=shown.source if self.wrap else row.text,
            glue=shown.glue if self.wrap else None,
        )

    def both(self, left: HunkRow | None, right: HunkRow | None, margin: Span | None = None) -> Line:
        """Draw an old and a new line beside each other; None where one side has none."""
        page, theme = self.page, self.page.theme
        middle = page.width // 2
        half = middle - 1 - self.column
        spans = self._side(left, half, old=True)
        spans.append((" ", theme.style("text")))
        spans.append((page.glyphs.divide, theme.style("line")))
        spans.append((" ", theme.style("text")))
        spans += self._side(right, page.right - middle - 2)
        line = make_line(page, spans, lead=self._margin(margin), column=self.column)
        if right is not None:
            line.source = right.text
        return line

    def gutter(self, row: HunkRow | None, *, first: bool = True, old: bool = False) -> list[Span]:
        """Give number and sign of a line; nothing for a further row of it, or where a side has none."""
        page = self.page
        if row is None or not first:
            on: Background = "gap" if row is None else ground(row.sign)
            return [(" " * (self.digits + 3), page.theme.style("muted", on))]
        roles: dict[Sign, TextRole] = {" ": "muted", "-": "removed", "+": "added"}
        signs: dict[Sign, str] = {" ": " ", "-": page.glyphs.minus, "+": page.glyphs.plus}
        style = page.theme.style(roles[row.sign], ground(row.sign))
        number = row.old_number if old else row.number
        return [(f"{number:>{self.digits}} {signs[row.sign]} ", style)]

    def spans(self, row: HunkRow) -> list[Span]:
        """Give a line's code."""
        marks: list[Stretch] = []
        if row.pair is not None:
            if row.sign == "-":
                marks = changed_words(row.text, row.pair)[0]
            else:
                marks = changed_words(row.pair, row.text)[1]
        spans: list[Span] = []
        at = 0
        for text, role in row.code.line(row.at, ahead=AHEAD):
            for start, end, marked in cuts(at, at + len(text), marks):
                spans.append((text[start - at : end - at], self._style(row.sign, role, marked)))
            at += len(text)
        return spans

    def _margin(self, margin: Span | None) -> list[Span]:
        text = self.page.theme.style("text")
        if margin is None:
            return [(" " * self.column, text)]
        return [margin, (" " * (self.column - spans_width([margin])), text)]

    def _side(self, row: HunkRow | None, width: int, *, old: bool = False) -> list[Span]:
        page = self.page
        on: Background = "gap" if row is None else ground(row.sign)
        room = width - self.digits - 3
        code: list[Span] = []
        if row is not None:
            shown = wrap_code(self.spans(row), room, once=True)[0]
            code = shown.spans
            if shown.glue is not None:
                mark = page.glyphs.cut
                cut = (mark, page.theme.style("muted", on))
                code = [*cut_spans(code, room - len(mark), ""), cut]
        free = room - spans_width(code)
        return [*self.gutter(row, old=old), *code, (" " * free, page.theme.style("text", on))]

    def _style(self, sign: Sign, role: TextRole, marked: bool) -> Style:
        theme = self.page.theme
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
        return theme.style(role, ground(sign))
