"""A file that was looked at: its path and which lines."""

from __future__ import annotations

from collections.abc import Sequence

from agent_tui.protocol.display import Display, FileDisplay
from agent_tui.tui.displays.drawing import Head, Options
from agent_tui.tui.facts import path_span
from agent_tui.tui.lines import Line, Page, Span


def head(display: Display, page: Page) -> Head:
    """Say which file, and which lines of it."""
    assert isinstance(display, FileDisplay)
    theme = page.theme
    room = max(12, page.text_width * 2 // 3)
    spans: list[Span] = [path_span(page, display.path, room, theme.style("text"))]
    notes = (_range(display, page), display.note)
    spans.extend((f" {note}", theme.style("muted")) for note in notes if note)
    return Head(tuple(spans))


def body(display: Display, page: Page, options: Options) -> Sequence[Line]:
    """There is nothing below the head: what was read is the model's."""
    return ()


def _range(display: FileDisplay, page: Page) -> str:
    first, last = display.first_line, display.last_line
    if first is None or last is None:
        return ""
    return str(first) if last <= first else f"{first}{page.glyphs.dash}{last}"
