"""What the model thought: one muted italic line; the thinking itself when expanded."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.tui.blocks.drawing import View
from agent_tui.tui.facts import duration
from agent_tui.tui.lines import Line, Page, make_line
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.blocks import Block, ThoughtBlock
from agent_tui.view.clean import clean


def draw(block: Block, page: Page, view: View) -> Sequence[Line]:
    """Say for how long it thought, or that it does."""
    assert isinstance(block, ThoughtBlock)
    theme = page.theme
    muted = theme.style("muted", italic=True)
    expanded = view.expanded and bool(block.text.strip())
    if block.open and not expanded:
        glyph, style, said = page.glyphs.running, theme.style("accent"), "Thinking"
    else:
        glyph = page.glyphs.open if expanded else page.glyphs.folded
        style = theme.style("muted")
        if block.open:
            said = "Thinking"
        elif block.seconds is None:
            said = "Thought"
        else:
            said = f"Thought for {duration(block.seconds * 1000).replace('.0 s', ' s')}"
    head = make_line(page, [(said, muted)], lead=[(" ", muted), (glyph, style)])
    head.end = head.start if expanded else head.end
    head.folds = bool(block.text.strip())
    lines = [head]
    if expanded:
        text = clean(block.text).strip().expandtabs(4)
        rows = wrap_prose([(text, muted)], page.prose_width)
        lines.extend(make_line(page, row.spans, glue=row.glue) for row in rows)
    return lines
