"""What is shown in place of everything else when the terminal has too little room to show anything well."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.tui.lines import Line, Page, cut, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet

COLUMNS, ROWS = 24, 6
"""The least a terminal must have."""


def too_small(columns: int, rows: int) -> bool:
    """Tell whether there is too little room: a question could not be read before it is answered."""
    return columns < COLUMNS or rows < ROWS


class TooSmall(Sheet):
    """Says so, and what it takes."""

    DEFAULT_CSS = "TooSmall { height: auto; display: none; }"

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="too-small")

    def draw(self, page: Page) -> Sequence[Line]:
        """Make the two rows."""
        style = page.theme.style("text")
        words = ("Too little room.", f"It takes {COLUMNS}x{ROWS}.")
        return [
            make_line(page, [(cut(word, page.width, page.glyphs.cut), style)], column=0)
            for word in words
        ]
