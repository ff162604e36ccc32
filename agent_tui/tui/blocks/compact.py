"""Where the conversation was summarised: one line; the summary when expanded."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.tui.blocks.drawing import View
from agent_tui.tui.lines import Line, Page, Span, make_line
from agent_tui.tui.markdown import draw_markdown
from agent_tui.view import figures
from agent_tui.view.blocks import Block, CompactBlock


def draw(block: Block, page: Page, view: View) -> Sequence[Line]:
    """Say that it was, and how much smaller the window is."""
    assert isinstance(block, CompactBlock)
    theme = page.theme
    muted = theme.style("muted")
    expanded = view.expanded and bool(block.summary)
    glyph = page.glyphs.open if expanded else page.glyphs.folded if block.summary else " "
    said = "Summarised the conversation"
    if block.trigger == "auto":
        said += " because the window was nearly full"
    facts: list[Span] = []
    if block.before_tokens is not None:
        sizes = [block.before_tokens, block.after_tokens]
        counts = " to ".join(figures.tokens(size) for size in sizes if size is not None)
        facts = [(f"{counts} tok", muted)]
    head = make_line(page, [(said, muted)], lead=[(" ", muted), (glyph, muted)], facts=facts)
    head.folds = bool(block.summary)
    lines = [head]
    if expanded:
        lines.extend(draw_markdown(page, block.summary))
    return lines
