"""A sub-agent: what it was asked and what it does now; its report once it has one."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.display import AgentDisplay, Display
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.displays.text import draw_text
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, Span, cut, make_line
from agent_tui.tui.markdown import draw_markdown
from agent_tui.view.figures import tokens

USUAL_KIND = "general-purpose"
"""The kind that is not worth naming."""
LAST_WIDE, LAST_NARROW = 28, 12
"""Cells that the newest call may take, from ``WIDE`` columns on and below."""
WIDE, LEAST = 100, 70


def head(display: Display, page: Page) -> Head:
    """Say of which kind it is and what it was asked; at the right its newest call and how much it has used."""
    assert isinstance(display, AgentDisplay)
    theme = page.theme
    muted, text = theme.style("muted"), theme.style("text")
    about = " ".join(display.description.split())
    spans: list[Span] = [(about, text)]
    if display.agent_type not in ("", USUAL_KIND):
        spans = [(display.agent_type, text), ("  ", muted), (about, muted)]
    if not (display.tool_uses or display.total_tokens):
        return Head(tuple(spans))
    used = [counted(display.tool_uses, "call")]
    if page.width >= LEAST and display.total_tokens:
        used.append(f"{tokens(display.total_tokens)} tok")
    if page.width >= LEAST and display.status == "running" and display.last:
        room = LAST_WIDE if page.width >= WIDE else LAST_NARROW
        used.insert(0, cut(" ".join(display.last.split()), room, page.glyphs.cut))
    return Head(tuple(spans), ((("  ".join(used), muted),),))


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give its task and its report when expanded; of itself it is one line."""
    assert isinstance(display, AgentDisplay)
    if not options.expanded:
        return ()
    muted = page.theme.style("muted")
    rows: list[Line] = list(draw_text(page, display.prompt, options)) if display.prompt else []
    if display.report:
        rows.append(make_line(page, [("It reported:", muted)]))
        rows.extend(draw_markdown(page, display.report))
    return rows
