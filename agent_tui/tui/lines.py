"""Rows of the screen: styled text on one row of cells, made by renderers, drawn and copied by panes.

The grid: column 0 is margin, column 1 the glyph, column 3 the text; facts end two columns before the right border.
All strings that come here have passed ``view.clean``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from agent_tui.tui.glyphs import GLYPHS, Glyphs
from agent_tui.tui.theme import Background, Theme

Span: TypeAlias = tuple[str, Style]
"""Text without line breaks, and its style."""

TEXT_COLUMN = 3
RIGHT_MARGIN = 2
PROSE_COLUMNS = 110
FACT_GAP = "   "


@dataclass(frozen=True, slots=True)
class Page:
    """What a renderer must know of the place it draws for.

    Attributes:
        theme, glyphs: how roles and marks look.
        width: cells of a whole row.
        cwd, home: absolute folders, to shorten paths by; empty when unknown.
        links: addresses and paths become links of the terminal.
    """

    theme: Theme
    width: int
    glyphs: Glyphs = GLYPHS
    cwd: str = ""
    home: str = ""
    links: bool = False

    @property
    def right(self) -> int:
        """The column where text must have ended."""
        return max(TEXT_COLUMN + 8, self.width - RIGHT_MARGIN)

    @property
    def text_width(self) -> int:
        """Cells between the text's edge and the right edge."""
        return self.right - TEXT_COLUMN

    @property
    def prose_width(self) -> int:
        """Cells prose may use."""
        return min(PROSE_COLUMNS, self.text_width)


@dataclass(slots=True)
class Line:
    """One row, drawn and copyable.

    Attributes:
        strip: what is drawn; exactly as wide as the page.
        start, end: which characters of the row's text are content; the rest is margin, gutter, padding and facts.
        glue: None when a line break follows in the copied text; else what the soft wrap swallowed (a blank, or nothing).
        source: what is copied instead of the content, when all of it is selected.
        folds: a click on the row folds or unfolds its block.
    """

    strip: Strip
    start: int = 0
    end: int = 0
    glue: str | None = None
    source: str | None = None
    folds: bool = False

    @property
    def content(self) -> str:
        """The part of the row's text that is copied."""
        return self.strip.text[self.start : self.end]


def width_of(text: str) -> int:
    """Give the cells a text takes."""
    return len(text) if text.isascii() else cell_len(text)


def spans_width(spans: Iterable[Span]) -> int:
    """Give the cells all spans take."""
    return sum(width_of(text) for text, _ in spans)


def cut(text: str, width: int, mark: str = "…") -> str:
    """Give the text, or its beginning and the cut mark, in at most ``width`` cells."""
    if width_of(text) <= width:
        return text
    return take(text, max(0, width - width_of(mark))) + mark[: max(0, width)]


def take(text: str, width: int) -> str:
    """Give the longest beginning of the text that fits ``width`` cells."""
    if text.isascii():
        return text[:width]
    low, high = 0, min(len(text), width)
    if cell_len(text[:high]) <= width:
        # A mark that joins what stands before it takes no cell of its own.
        while high < len(text) and cell_len(text[: high + 1]) <= width:
            high += 1
        return text[:high]
    while low < high:
        middle = (low + high + 1) // 2
        if cell_len(text[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def cut_spans(spans: Sequence[Span], width: int, mark: str = "…") -> list[Span]:
    """Give the spans in at most ``width`` cells, the last one cut with the mark if need be."""
    if spans_width(spans) <= width:
        return list(spans)
    out: list[Span] = []
    room = max(0, width - width_of(mark))
    for text, style in spans:
        need = width_of(text)
        if need > room:
            out.append((take(text, room) + mark[:width], style))
            break
        out.append((text, style))
        room -= need
    return out


def make_line(
    page: Page,
    spans: Sequence[Span],
    *,
    on: Background = "bg",
    lead: Sequence[Span] = (),
    facts: Sequence[Span] = (),
    column: int = TEXT_COLUMN,
    band: bool = False,
    glue: str | None = None,
    source: str | None = None,
) -> Line:
    """Lay out one row: ``lead`` from column 0 or blanks, ``spans`` at ``column``, ``facts`` at the right edge.

    The spans are cut where they would run into the facts or over the right edge. ``on`` is the background from the
    text's edge to the right edge; with ``band`` over the whole row.
    """
    theme = page.theme
    paper = theme.style("text")
    outside = theme.style("text", on) if band else paper
    inside = theme.style("text", on)
    facts_width = spans_width(facts)
    room = page.right - column - (facts_width + len(FACT_GAP) if facts_width else 0)
    content = cut_spans(spans, room, page.glyphs.cut)
    segments: list[Segment] = []
    start = column
    if lead:
        lead_width = spans_width(lead)
        segments.extend(Segment(text, style) for text, style in lead)
        start = sum(len(text) for text, _ in lead)
        if lead_width < column:
            segments.append(Segment(" " * (column - lead_width), outside))
            start += column - lead_width
    elif column:
        edge = min(column, TEXT_COLUMN)
        segments.append(Segment(" " * edge, outside))
        if column > edge:
            segments.append(Segment(" " * (column - edge), inside))
    segments.extend(Segment(text, style) for text, style in content)
    end = start + sum(len(text) for text, _ in content)
    used = column + spans_width(content)
    gap = page.right - facts_width - used
    if gap > 0:
        segments.append(Segment(" " * gap, inside))
    segments.extend(Segment(text, style) for text, style in facts)
    tail = page.width - max(used + max(gap, 0) + facts_width, 0)
    if tail > 0:
        segments.append(Segment(" " * tail, outside))
    return Line(Strip(segments, page.width), start, end, glue, source)


def blank_line(page: Page, on: Background = "bg") -> Line:
    """Give an empty row."""
    return Line(Strip([Segment(" " * page.width, page.theme.style("text", on))], page.width))


def join_facts(facts: Sequence[Sequence[Span]], gap: Span) -> list[Span]:
    """Put facts side by side, each a run of spans, with the gap between."""
    out: list[Span] = []
    for fact in facts:
        if fact:
            if out:
                out.append(gap)
            out.extend(fact)
    return out
