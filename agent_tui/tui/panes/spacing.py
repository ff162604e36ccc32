"""How many blank rows stand between two parts."""

from __future__ import annotations

from agent_tui.tui.lines import Page
from agent_tui.tui.panes.parts import Part, PiecePart
from agent_tui.view.blocks import AnswerBlock, NoticeBlock, ResultBlock, ToolBlock

NARROW = 80
"""Below this many columns cards always stand close."""


def gap_between(upper: Part | None, lower: Part, page: Page) -> int:
    """Give the blank rows between two parts that are seen; ``upper`` None: the lower one is the first.

    One between blocks; none above a result, nor between cards of one row.
    """
    if upper is None:
        return 0
    if upper.entry is lower.entry:
        return lower.piece.gap if isinstance(lower, PiecePart) else 0
    above, below = upper.entry.block, lower.entry.block
    if isinstance(below, ResultBlock):
        return 0
    if isinstance(below, NoticeBlock) and below.level == "stopped":
        return (
            0
            if isinstance(above, ToolBlock) or (isinstance(above, AnswerBlock) and above.aborted)
            else 1
        )
    if isinstance(above, ToolBlock) and isinstance(below, ToolBlock):
        close = page.width < NARROW or (len(upper.rows(page)) == 1 and len(lower.rows(page)) == 1)
        return 0 if close else 1
    return 1
