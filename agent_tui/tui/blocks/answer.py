"""What the model said: markdown. A long one is drawn piece by piece by the pane, a short one here as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.tui.blocks.drawing import View
from agent_tui.tui.lines import Line, Page, blank_line
from agent_tui.tui.stack import Stack
from agent_tui.view.blocks import AnswerBlock, Block
from agent_tui.view.pieces import split


class Document(Stack):
    """Rows of markdown that know which of them a piece of the source makes: (first row, row after, source)."""

    def __init__(
        self, parts: Sequence[Sequence[Line]], sections: Sequence[tuple[int, int, str]]
    ) -> None:
        super().__init__(*parts)
        self.sections = sections


def draw(block: Block, page: Page, view: View) -> Document:
    """Draw every piece."""
    from agent_tui.tui.markdown import draw_piece  # door: the parser, with the first answer

    assert isinstance(block, AnswerBlock)
    parts: list[Sequence[Line]] = []
    sections: list[tuple[int, int, str]] = []
    blank = blank_line(page)
    row = 0
    for piece in split(block.text):
        rows = draw_piece(page, piece)
        if not len(rows):
            continue
        if piece.gap and parts:
            parts.append([blank] * piece.gap)
            row += piece.gap
        parts.append(rows)
        sections.append((row, row + len(rows), piece.source))
        row += len(rows)
    return Document(parts, sections)
