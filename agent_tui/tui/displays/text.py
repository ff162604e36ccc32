"""The fallback: a line that says what a call does, and text."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, make_line
from agent_tui.tui.output import OUTPUT_LINES, fold_row, output_rows


def head(display: Display, page: Page) -> Head:
    """Say the title, or the beginning of the text."""
    assert isinstance(display, TextDisplay)
    title = display.title.strip().replace("\n", " ")
    return Head(((title, page.theme.style("text")),) if title else ())


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give the text, or its beginning and how much more there is."""
    assert isinstance(display, TextDisplay)
    return draw_text(page, display.text, options)


def draw_text(page: Page, text: str, options: Options) -> Sequence[Line]:
    """Draw plain text: all of it when expanded, else some lines."""
    lines = text.strip("\n").split("\n") if text.strip() else []
    if options.expanded:
        return output_rows(page, lines)
    most = OUTPUT_LINES if options.max_rows is None else options.max_rows
    muted = page.theme.style("muted")
    shown = lines if len(lines) <= most + 1 else lines[:most]
    rows = [make_line(page, [(line.expandtabs(4), muted)], source=line) for line in shown]
    if len(lines) > len(shown):
        rows.append(fold_row(page, f"{counted(len(lines) - len(shown), 'more line')}"))
    return rows
