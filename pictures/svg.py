"""A grid of cells as an SVG file, and the text of such a file.

Every letter stands in its cell, lines and blocks are drawn as shapes that join, and nothing but the cells and
the title goes in: the same screen gives the same bytes. The whole text stands in ``desc``, for those who can't see it.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from pictures.grid import Cell, Grid, text_of

WIDTH, HEIGHT = 9, 20
"""Pixels of a cell."""
FONT_SIZE = 15
BASE = 15
"""Pixels from a cell's top to the line the letters stand on."""
MARGIN = 10
FONTS = "'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
NAMESPACE = "http://www.w3.org/2000/svg"

Shape = Callable[[int, int, int], tuple[float, float, float, float]]
"""From left, top and width of a run to left, top, width and height of what is drawn."""

SHAPES: dict[str, Shape] = {
    "─": lambda x, y, w: (x, y + 9.5, w, 1),
    "━": lambda x, y, w: (x, y + 9, w, 2),
    "│": lambda x, y, w: (x + 4, y, 1, HEIGHT),
    "▎": lambda x, y, w: (x, y, 2, HEIGHT),
    "▕": lambda x, y, w: (x + WIDTH - 1, y, 1, HEIGHT),
    "▏": lambda x, y, w: (x, y, 1, HEIGHT),
    "▌": lambda x, y, w: (x, y, 4.5, HEIGHT),
    "▐": lambda x, y, w: (x + 4.5, y, 4.5, HEIGHT),
    "▀": lambda x, y, w: (x, y, w, 10),
    "▄": lambda x, y, w: (x, y + 10, w, 10),
    "█": lambda x, y, w: (x, y, w, HEIGHT),
}
"""What is drawn and not written: fonts leave gaps between these."""
WIDENING = frozenset("─━▀▄█")
"""Those of them that a run of draws as one."""


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbours in a row that are drawn alike: from column ``start``, over ``width`` cells."""

    start: int
    width: int
    text: str
    look: Cell


def svg_of(grid: Grid, title: str) -> str:
    """Draw a grid.

    Args:
        grid: what to draw.
        title: what the picture shows, in a line.
    """
    width = grid.width * WIDTH + 2 * MARGIN
    height = len(grid.rows) * HEIGHT + 2 * MARGIN
    out = [
        f'<svg xmlns="{NAMESPACE}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONTS}" font-size="{FONT_SIZE}">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(chr(10).join(grid.lines))}</desc>",
        f'<rect width="{width}" height="{height}" rx="6" fill="{grid.paper}"/>',
        f'<g transform="translate({MARGIN} {MARGIN})" xml:space="preserve">',
    ]
    for number, row in enumerate(grid.rows):
        out += _bands(row, number * HEIGHT, grid.paper)
        for run in runs(row):
            out += _drawn(run, number * HEIGHT)
    out += ["</g>", "</svg>", ""]
    return "\n".join(out)


def text_in(svg: str) -> tuple[str, ...]:
    """Give the rows of text of a file that ``svg_of`` made."""
    found = ET.fromstring(svg).findtext(f"{{{NAMESPACE}}}desc", "")
    return tuple(found.split("\n"))


def runs(row: Sequence[Cell]) -> Iterator[Run]:
    """Take a row apart. A character that is no letter of every font stands alone, so that it keeps its cell."""
    start = 0
    for end in range(1, len(row) + 1):
        if end < len(row) and _joins(row[start], row[end - 1], row[end]):
            continue
        text = text_of(row[start:end])
        if text.strip() or row[start].underline or row[start].strike:
            yield _trimmed(start, end - start, text, row[start])
        start = end


def _trimmed(start: int, width: int, text: str, look: Cell) -> Run:
    if look.underline or look.strike:
        return Run(start, width, text, look)
    left = len(text) - len(text.lstrip(" "))
    right = len(text) - len(text.rstrip(" "))
    return Run(start + left, width - left - right, text.strip(" "), look)


def _joins(first: Cell, before: Cell, after: Cell) -> bool:
    if after.text == "":
        return True  # the other half of a wide character
    same = _look(first) == _look(after) or (after.text == " " and _plain(first, after))
    if before.text in WIDENING or after.text in WIDENING:
        return same and before.text == after.text
    return same and _usual(before.text) and _usual(after.text)


def _plain(first: Cell, blank: Cell) -> bool:
    """Whether a blank may stand in a run, whatever its colour: nothing of it is seen but the paper."""
    lines = (first.underline, first.strike, blank.underline, blank.strike)
    return not any(lines) and blank.paper == first.paper


def _look(cell: Cell) -> tuple[object, ...]:
    return cell.ink, cell.paper, cell.bold, cell.italic, cell.underline, cell.strike


def _usual(text: str) -> bool:
    return all("\x20" <= char < "\u0250" for char in text) and text != ""


def _bands(row: Sequence[Cell], top: int, paper: str) -> Iterator[str]:
    start = 0
    for end in range(1, len(row) + 1):
        if end < len(row) and row[end].paper == row[start].paper:
            continue
        if row[start].paper != paper:
            yield _rect(start * WIDTH, top, (end - start) * WIDTH, HEIGHT, row[start].paper)
        start = end


def _drawn(run: Run, top: int) -> Iterator[str]:
    left, width = run.start * WIDTH, run.width * WIDTH
    shape = SHAPES.get(run.text[:1])
    if shape is not None:
        yield _rect(*shape(left, top, width), run.look.ink)
        return
    if run.text.strip():
        yield _written(run, left, top, width)
    if run.look.underline:
        yield _rect(left, top + BASE + 2, width, 1, run.look.ink)
    if run.look.strike:
        yield _rect(left, top + BASE - 5, width, 1, run.look.ink)


def _written(run: Run, left: int, top: int, width: int) -> str:
    # each letter has its place: fonts differ in width, cells don't, and no two of them become a ligature
    fitted = f'x="{" ".join(str(left + at * WIDTH) for at in range(len(run.text)))}"'
    if not _usual(run.text):
        # no font has to have it, and another font's may be wider: it stands in the middle of its cell
        fitted = f'x="{left + width / 2:g}" text-anchor="middle"'
    weight = ' font-weight="bold"' if run.look.bold else ""
    slant = ' font-style="italic"' if run.look.italic else ""
    return (
        f'<text {fitted} y="{top + BASE}" fill={quoteattr(run.look.ink)}'
        f"{weight}{slant}>{escape(run.text)}</text>"
    )


def _rect(left: float, top: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{colour}"/>'
