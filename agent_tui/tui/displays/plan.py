"""A plan: its first heading or line, and all of it as the Markdown it is."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.display import Display, PlanDisplay
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page
from agent_tui.tui.markdown import draw_markdown
from agent_tui.tui.output import fold_row

PLAN_ROWS = 12
"""Rows of a plan that are shown of themselves: it is what the person has come to read."""


def head(display: Display, page: Page) -> Head:
    """Say what became of it, else how it begins."""
    assert isinstance(display, PlanDisplay)
    theme = page.theme
    if display.outcome:
        return Head(((display.outcome, theme.style("muted")),))
    first = next((line.strip("# ").strip() for line in display.plan.splitlines() if line.strip()), "")  # fmt: skip
    return Head(((first.replace("`", "").replace("**", ""), theme.style("text")),) if first else ())


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give the plan; unless expanded, its beginning."""
    assert isinstance(display, PlanDisplay)
    rows = draw_markdown(page, display.plan)
    most = PLAN_ROWS if options.max_rows is None else options.max_rows
    if options.expanded or len(rows) <= most + 1:
        return rows
    return [*rows[:most], fold_row(page, counted(len(rows) - most, "more line"))]
