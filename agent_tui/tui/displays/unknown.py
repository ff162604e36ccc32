"""A display of a kind this version does not know: its data as text, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Sequence

from agent_tui.protocol.display import Display, UnknownDisplay
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.displays.text import draw_text
from agent_tui.tui.lines import Line, Page


def head(display: Display, page: Page) -> Head:
    """Say its title, if it has one, else its kind."""
    data = display.data if isinstance(display, UnknownDisplay) else {}
    title = str(data.get("title") or display.kind).replace("\n", " ")
    return Head(((title, page.theme.style("text")),))


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """Give its text, if it has one, else all its data."""
    data = display.data if isinstance(display, UnknownDisplay) else {}
    text = data.get("text")
    if not isinstance(text, str):
        text = json.dumps(data, indent=2, ensure_ascii=False, default=str) if data else ""
    return draw_text(page, text, options)
