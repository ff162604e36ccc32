"""What the person asked: a band over the whole row, with the time at the right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agent_tui.tui.blocks.drawing import View
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import FACT_GAP, Line, Page, Span, make_line, width_of
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.blocks import Block, PromptBlock
from agent_tui.view.clean import clean

ROWS = 12
"""Rows of a long prompt that are shown of themselves."""


def draw(block: Block, page: Page, view: View) -> Sequence[Line]:
    """Draw the text as it was typed, strong on a band."""
    assert isinstance(block, PromptBlock)
    theme = page.theme
    time = local_time(block.time)
    room = page.prose_width
    if time:
        room = min(room, page.text_width - len(FACT_GAP) - width_of(time))
    text = clean(block.text).strip("\n").expandtabs(4)
    rows = wrap_prose([(text, theme.style("strong", "surface"))], room)
    hidden = 0
    if not view.expanded and len(rows) > ROWS + 1:
        hidden = len(rows) - ROWS
        rows = rows[:ROWS]
    muted = theme.style("muted", "surface")
    lines: list[Line] = []
    for number, row in enumerate(rows):
        glyph = page.glyphs.prompt if number == 0 else " "
        lead: list[Span] = [
            (" ", theme.style("text", "surface")),
            (glyph, theme.style("accent", "surface")),
        ]
        facts: list[Span] = [(time, muted)] if time and number == 0 else []
        lines.append(
            make_line(
                page, row.spans, on="surface", band=True, lead=lead, facts=facts, glue=row.glue
            )
        )
    notes: list[str] = []
    if hidden:
        notes.append(f"{page.glyphs.folded} {counted(hidden, 'more line')}")
    if block.images:
        notes.append(counted(block.images, "picture"))
    if notes:
        line = make_line(page, [(FACT_GAP.join(notes), muted)], on="surface", band=True)
        line.start = line.end
        line.folds = bool(hidden)
        lines[-1].glue = None
        lines.append(line)
    return lines


def local_time(time: str | None) -> str:
    """Give the hour and minute of an ISO 8601 time where the person is; empty when it is no time."""
    if time is None:
        return ""
    try:
        moment = datetime.fromisoformat(time)
    except ValueError:
        return ""
    return moment.astimezone().strftime("%H:%M")
