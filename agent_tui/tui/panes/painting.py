"""What lies over a row: places that were found, the selection, the cursor's bar, the scroll bar, more below."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from agent_tui.tui.lines import Line, Page, width_of
from agent_tui.tui.theme import STANDS_ON, TextRole, Theme

MORE_BELOW = " more below"

Stretch: TypeAlias = tuple[int, int]
"""Characters of a row's text, from one up to another."""


class Marks(NamedTuple):
    """What is to be painted over one row, in characters of its text.

    Attributes:
        selected: from one character up to another, -1 for the row's end.
        found: the places of a text that is looked for; ``current`` is the part of the one that is looked at.
    """

    bar: bool = False
    cursor: bool = False
    selected: tuple[int, int] | None = None
    more_below: bool = False
    found: tuple[Stretch, ...] = ()
    current: tuple[Stretch, ...] = ()


def paint(page: Page, line: Line, marks: Marks) -> Strip:
    """Give the row with its marks."""
    strip = line.strip
    if marks == Marks():
        return strip
    segments = list(strip)
    for first, last in marks.found:
        segments = _restyle(segments, first, last, partial(_found, page.theme))
    for first, last in marks.current:
        segments = _on(segments, first, last, page.theme.roles["select"])
    if marks.selected is not None:
        first, last = marks.selected
        first, last = max(first, line.start), line.end if last < 0 else min(last, line.end)
        segments = _on(segments, first, last, page.theme.roles["select"])
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


def _on(segments: list[Segment], first: int, last: int, ground: Style) -> list[Segment]:
    """Put another ground under some characters."""
    return _restyle(segments, first, last, lambda style: style + ground)


def _found(theme: Theme, style: Style) -> Style:
    """Mark a found text: bold and underlined on any ground, in a colour that can be read on it."""
    page = {theme.roles[on].bgcolor for on in STANDS_ON["accent"]}
    role: TextRole = "accent" if style.bgcolor in page and not style.reverse else "strong"
    colour = Style() if style.reverse else Style(color=theme.roles[role].color)
    return style + colour + Style(bold=True, underline=True, dim=False)


def _restyle(
    segments: list[Segment], first: int, last: int, how: Callable[[Style], Style]
) -> list[Segment]:
    """Change the style of the characters from one up to another."""
    out: list[Segment] = []
    at = 0
    for text, style, _ in segments:
        begin, stop = max(first - at, 0), max(min(last - at, len(text)), 0)
        if begin >= len(text) or stop <= begin:
            out.append(Segment(text, style))
        else:
            pieces = (
                (text[:begin], style),
                (text[begin:stop], how(style or Style())),
                (text[stop:], style),
            )
            out += [Segment(piece, its) for piece, its in pieces if piece]
        at += len(text)
    return out
