"""What a terminal shows, cell by cell, with every colour worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyte
from pyte.screens import Char

INK, PAPER = "#cccccc", "#000000"
"""What a terminal draws with where the program leaves the colours to it."""

PALETTE = {
    "black": "#000000",
    "red": "#cd3131",
    "green": "#0dbc79",
    "brown": "#c5a82a",
    "blue": "#2472c8",
    "magenta": "#bc3fbc",
    "cyan": "#11a8cd",
    "white": "#e5e5e5",
    "brightblack": "#808080",
    "brightred": "#f14c4c",
    "brightgreen": "#23d18b",
    "brightbrown": "#f5f543",
    "brightblue": "#3b8eea",
    "brightmagenta": "#d670d6",
    "brightcyan": "#29b8db",
    "brightwhite": "#ffffff",
    # as the emulator spells the background
    "bfightmagenta": "#d670d6",
}
"""The sixteen colours of a common dark terminal."""

FAINT = 0.6
"""How much of a dim text's colour is left."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: what stands in it, a blank where nothing does; empty in the second cell of a wide character.
        ink, paper: colours as ``#rrggbb``; what is reversed or dim is so already.
        bold, italic, underline, strike: how the text is drawn.
    """

    text: str = " "
    ink: str = INK
    paper: str = PAPER
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells, all as long as the first."""

    rows: tuple[tuple[Cell, ...], ...]

    @property
    def width(self) -> int:
        """Cells of a row."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def lines(self) -> tuple[str, ...]:
        """The text of each row, without the blanks at its end."""
        return tuple(text_of(row).rstrip() for row in self.rows)

    @property
    def paper(self) -> str:
        """The background most cells have."""
        counted = Counter(cell.paper for row in self.rows for cell in row)
        return counted.most_common(1)[0][0] if counted else PAPER


class Screen(pyte.Screen):
    """An emulator that knows dim text, too: the blinking that nobody uses stands for it."""

    def select_graphic_rendition(self, *attrs: int) -> None:
        """Take what colours and styles come next, ``2`` as ``5`` (unless it is part of a colour)."""
        turned: list[int] = []
        left = 0
        for place, attr in enumerate(attrs):
            if left:
                left -= 1
            elif attr in (38, 48):
                left = 4 if attrs[place + 1 : place + 2] == (2,) else 2
            elif attr == 2:
                attr = 5
            elif attr == 22:
                turned.append(25)
            turned.append(attr)
        super().select_graphic_rendition(*turned)


def grid_of(screen: pyte.Screen) -> Grid:
    """Take what an emulated screen shows, its cursor as a cell in reverse."""
    rows = [
        [cell_of(screen.buffer[y][x]) for x in range(screen.columns)] for y in range(screen.lines)
    ]
    x, y = screen.cursor.x, screen.cursor.y
    if not screen.cursor.hidden and y < len(rows) and x < screen.columns:
        under = rows[y][x]
        rows[y][x] = replace(under, ink=under.paper, paper=under.ink)
    return Grid(tuple(map(tuple, rows)))


def cell_of(char: Char) -> Cell:
    """Make a cell of what the emulator keeps."""
    ink, paper = _colour(char.fg, INK), _colour(char.bg, PAPER)
    if char.blink:
        ink = _mixed(ink, paper)
    if char.reverse:
        ink, paper = paper, ink
    return Cell(char.data, ink, paper, char.bold, char.italics, char.underscore, char.strikethrough)


def text_of(cells: Sequence[Cell]) -> str:
    """Give what stands in cells."""
    return "".join(cell.text for cell in cells)


def _colour(name: str, default: str) -> str:
    if name == "default":
        return default
    return PALETTE.get(name) or f"#{name}"


def _mixed(ink: str, paper: str) -> str:
    parts = (
        round(int(ink[at : at + 2], 16) * FAINT + int(paper[at : at + 2], 16) * (1 - FAINT))
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)
