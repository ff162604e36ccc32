"""What stands in for an answer when the model could not be asked."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.tui.blocks.drawing import View
from agent_tui.tui.lines import FACT_GAP, Line, Page, make_line, width_of
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.blocks import Block, ErrorBlock
from agent_tui.view.clean import clean


def draw(block: Block, page: Page, view: View) -> Sequence[Line]:
    """Draw what went wrong, with the kind of error at the right."""
    assert isinstance(block, ErrorBlock)
    theme = page.theme
    word = "" if block.error == "unknown" else clean(block.error).replace("_", " ")
    room = min(page.prose_width, page.text_width - width_of(word) - len(FACT_GAP))
    text = clean(block.text).strip().expandtabs(4)
    lines: list[Line] = []
    for number, row in enumerate(wrap_prose([(text, theme.style("text"))], max(20, room))):
        lead = [(" ", theme.style("text")), (page.glyphs.failed, theme.style("error"))]
        facts = [(word, theme.style("error", bold=True))] if word and number == 0 else []
        lines.append(
            make_line(page, row.spans, lead=() if number else lead, facts=facts, glue=row.glue)
        )
    return lines
