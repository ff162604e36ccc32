"""How a run ended: turns, tokens, cost and time at the right edge; at the left why, when it did not end well."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.tui.blocks.drawing import View
from agent_tui.tui.facts import counted, duration
from agent_tui.tui.lines import FACT_GAP, Line, Page, Span, make_line, width_of
from agent_tui.tui.wrapping import wrap_prose
from agent_tui.view import figures
from agent_tui.view.blocks import Block, ResultBlock
from agent_tui.view.clean import clean


def draw(block: Block, page: Page, view: View) -> Sequence[Line]:
    """Draw one row; more only where the reason needs them."""
    assert isinstance(block, ResultBlock)
    theme = page.theme
    muted = theme.style("muted")
    facts = [counted(block.turns, "turn"), f"{figures.tokens(block.tokens)} tok"]
    if block.cost_usd is not None:
        facts.append(figures.money(block.cost_usd))
    facts.append(duration(block.duration_ms))
    while len(facts) > 1 and width_of(FACT_GAP.join(facts)) > page.text_width:
        facts.pop(0)
    said = FACT_GAP.join(facts)
    spans: list[Span] = [(said, muted)]
    if not block.why:
        line = make_line(page, [], facts=spans)
        return [line]
    room = page.text_width - width_of(said) - len(FACT_GAP)
    lead = [(" ", muted), (page.glyphs.failed, theme.style("error"))]
    why = clean(block.why).replace("\n", " ")
    beside = room >= 20
    width = min(room, page.prose_width) if beside else page.prose_width
    rows = wrap_prose([(why, theme.style("text"))], width)
    if not beside:
        # There is no room beside the facts: they get a row of their own.
        lines = [
            make_line(page, row.spans, lead=() if number else lead, glue=row.glue)
            for number, row in enumerate(rows)
        ]
        return [*lines, make_line(page, [], facts=spans)]
    return [
        make_line(
            page,
            row.spans,
            lead=() if number else lead,
            facts=() if number else spans,
            glue=row.glue,
        )
        for number, row in enumerate(rows)
    ]
