"""What charts are made of: cells filled with a colour and a letter, thin bars, shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style

from agent_tui.tui.lines import Page, Span
from agent_tui.tui.theme import TextRole


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a whole: the letter and the hue it is known by, and its size."""

    letter: str
    hue: TextRole
    size: int


def filled(page: Page, text: str, hue: TextRole) -> Span:
    """Give cells filled with a hue, the text on it readable: the role's own colours, turned round."""
    return text, page.theme.style(hue, bold=True) + Style(reverse=True)


def stacked(page: Page, slices: Sequence[Slice], whole: int, width: int, mark: int) -> list[Span]:
    """Draw one bar over a whole: each slice has a cell at least, what is free is a band, ``mark`` a place in it."""
    theme = page.theme
    cells = _cells([one.size for one in slices], whole, width)
    spans = [filled(page, one.letter.ljust(count), one.hue) for one, count in zip(slices, cells, strict=True) if count]  # fmt: skip
    used = sum(cells)
    at = min(width - 1, round(mark * width / whole)) if 0 < mark < whole else -1
    style = theme.style("line", "surface")
    blank = " " if theme.tints else page.glyphs.rule
    if used <= at:
        spans += [
            (blank * (at - used), style),
            (page.glyphs.divide, theme.style("text", "surface")),
        ]
        used = at + 1
    spans.append((blank * (width - used), style))
    return [span for span in spans if span[0]]


def _cells(sizes: Sequence[int], whole: int, width: int) -> list[int]:
    """Share out the cells of a bar; what there is has one at least, and all of it never more than there are."""
    cells = [max(1, min(width, round(size * width / whole))) if size > 0 else 0 for size in sizes]
    while sum(cells) > width:
        cells[max(range(len(cells)), key=cells.__getitem__)] -= 1
    return cells


def thin_bar(page: Page, size: float, largest: float, width: int, role: TextRole) -> Span:
    """Draw a thin bar of at most ``width`` cells, as long as ``size`` is of the largest; one cell at least."""
    count = 0 if size <= 0 or largest <= 0 else max(1, round(size * width / largest))
    return page.glyphs.heavy * count, page.theme.style(role)


def share(size: float, whole: float) -> str:
    """Give a share as percent with one digit."""
    return f"{size / whole * 100:.1f}%" if whole else "0.0%"
