"""A sub-agent: what it was asked and what it does now; its report once it has one."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.display import AgentDisplay, Display
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.displays.text import draw_text
from agent_tui.tui.facts import counted
from agent_tui.tui.figures import tokens
from agent_tui.tui.lines import Line, Page, Span, make_line
from agent_tui.tui.markdown import draw_markdown


def head(display: Display, page: Page) -> Head:
    """Say what it was asked, of which kind it is, and how much it has used."""
    assert isinstance(display, AgentDisplay)
    theme = page.theme
    muted = theme.style("muted")
    spans: list[Span] = [(display.description, theme.style("text"))]
    if display.agent_type:
        spans.append((f"  {display.agent_type}", muted))
    facts: list[tuple[Span, ...]] = []
    if display.status == "background":
        facts.append((("in the background", theme.style("accent")),))
    if display.tool_uses or display.total_tokens:
        used = f"{counted(display.tool_uses, 'call')}  {tokens(display.total_tokens)} tok"
        facts.append(((used, muted),))
    return Head(tuple(spans), tuple(facts))


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give the newest thing it does while it runs; its task and its report when expanded."""
    assert isinstance(display, AgentDisplay)
    muted = page.theme.style("muted")
    if not options.expanded:
        if options.running and display.last:
            return [make_line(page, [(display.last, muted)])]
        return ()
    rows: list[Line] = list(draw_text(page, display.prompt, options)) if display.prompt else []
    if display.report:
        rows.append(make_line(page, [("It reported:", muted)]))
        rows.extend(draw_markdown(page, display.report))
    return rows
