"""What lies over a row: the selection, the cursor's bar, the scroll bar, and the mark that there is more below."""

from __future__ import annotations

from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from agent_tui.tui.lines import Line, Page, width_of

MORE_BELOW = " more below"


class Marks(NamedTuple):
    """What is to be painted over one row; ``selected`` from one character up to another, -1 for the row's end."""

    bar: bool = False
    cursor: bool = False
    selected: tuple[int, int] | None = None
    more_below: bool = False


def paint(page: Page, line: Line, marks: Marks) -> Strip:
    """Give the row with its marks."""
    strip = line.strip
    if marks == Marks():
        return strip
    if marks.selected is not None:
        strip = _select(page, line, *marks.selected)
    segments = list(strip)
    if marks.cursor:
        segments = _over(segments, 0, [(page.glyphs.bar, page.theme.style("accent"))])
    if marks.more_below:
        theme = page.theme
        words = [
            (f"  {page.glyphs.down}{MORE_BELOW}  ", theme.style("muted")),
            ("end", theme.style("accent", bold=True)),
            (" ", theme.style("muted")),
        ]
        width = sum(width_of(text) for text, _ in words)
        segments = _over(segments, max(0, page.right + 1 - width), words)
    if marks.bar:
        segments = _over(
            segments, page.width - 1, [(page.glyphs.divide, page.theme.style("thumb"))]
        )
    return Strip(segments, page.width)


def _over(segments: list[Segment], column: int, words: list[tuple[str, Style]]) -> list[Segment]:
    """Write words over a row from a column on; the ground stays where the words have none of their own."""
    width = sum(width_of(text) for text, _ in words)
    strip = Strip(segments)
    before, under, after = (list(part) for part in _divide(strip, column, column + width))
    ground = under[0].style.background_style if under and under[0].style else Style()
    fresh = [Segment(text, style + ground if len(words) == 1 else style) for text, style in words]
    return [*before, *fresh, *after]


def _divide(strip: Strip, first: int, last: int) -> tuple[Strip, Strip, Strip]:
    return strip.crop(0, first), strip.crop(first, last), strip.crop(last, strip.cell_length)


def _select(page: Page, line: Line, first: int, last: int) -> Strip:
    """Paint the ground of the selected characters; only content can be selected."""
    first = max(first, line.start)
    last = line.end if last < 0 else min(last, line.end)
    ground = page.theme.roles["select"]
    segments: list[Segment] = []
    at = 0
    for text, style, _ in line.strip:
        begin, stop = max(first - at, 0), max(min(last - at, len(text)), 0)
        if begin >= len(text) or stop <= begin:
            segments.append(Segment(text, style))
        else:
            for piece, marked in (
                (text[:begin], False),
                (text[begin:stop], True),
                (text[stop:], False),
            ):
                if piece:
                    segments.append(
                        Segment(piece, (style or Style()) + ground if marked else style)
                    )
        at += len(text)
    return Strip(segments, line.strip.cell_length)
