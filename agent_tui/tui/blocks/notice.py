"""Something worth a line: what the session, a command or an interrupt had to say."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.tui.blocks.drawing import View
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, make_line
from agent_tui.tui.output import fold_row
from agent_tui.tui.theme import TextRole
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view.blocks import Block, NoticeBlock
from agent_tui.view.clean import clean

ROWS = 4
OUTPUT_ROWS = 60
"""Rows of a notice, and of a command's output, that are shown of themselves."""


def draw(block: Block, page: Page, view: View) -> Sequence[Line]:
    """Draw it with a glyph where it is more than a remark."""
    assert isinstance(block, NoticeBlock)
    text = clean(block.text).strip("\n")
    if block.level == "output":
        return folded(page, _output(page, text.split("\n")), OUTPUT_ROWS, view)
    theme = page.theme
    role: TextRole = "muted"
    glyph = " "
    if block.level == "warning":
        role, glyph = "warning", page.glyphs.danger
    elif block.level == "error":
        role, glyph = "error", page.glyphs.failed
    elif block.level == "stopped":
        glyph = page.glyphs.stopped
    lead = [(" ", theme.style("text")), (glyph, theme.style(role))]
    words = theme.style("text" if block.level in ("warning", "error") else "muted")
    rows = wrap_prose([(text.expandtabs(4), words)], page.prose_width)
    lines = [
        make_line(page, row.spans, lead=lead if number == 0 else (), glue=row.glue)
        for number, row in enumerate(rows)
    ]
    return folded(page, lines, ROWS, view)


def _output(page: Page, lines: Sequence[str]) -> Sequence[Line]:
    """Draw a command's output: lines that fit as they are, longer ones broken between words."""
    style = page.theme.style("text")
    rows: list[Line] = []
    for line in lines:
        broken = wrap_prose([(line.expandtabs(4), style)], page.text_width)
        rows += [make_line(page, row.spans, glue=row.glue) for row in broken]
    return rows


def folded(page: Page, lines: Sequence[Line], most: int, view: View) -> Sequence[Line]:
    """Give all lines when expanded or few, else the first and a row that says how many there are more."""
    if view.expanded or len(lines) <= most + 1:
        return lines
    return [*lines[:most], fold_row(page, counted(len(lines) - most, "more line"))]
