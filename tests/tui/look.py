"""A look for tests: a theme of ours, and rows as plain text."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.settings.paths import themes
from agent_tui.tui.glyphs import GLYPHS
from agent_tui.tui.lines import Line, Page
from agent_tui.tui.look import Look
from agent_tui.tui.theme import load_themes
from tests.tui.scenes import CWD, HOME

THEMES, _ = load_themes([themes()])


def look(theme: str = "dark") -> Look:
    """Give a look with the project and home of the scenes."""
    return Look(THEMES[theme], GLYPHS, CWD, HOME, THEMES)


def page(width: int = 120, theme: str = "dark") -> Page:
    """Give a page of the look."""
    return look(theme).page(width)


def texts(rows: Iterable[Line]) -> list[str]:
    """Give the rows as text without the blanks at their ends."""
    return [row.strip.text.rstrip() for row in rows]
