"""How the screen looks right now: theme and glyphs, shared by all panes and changed live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_tui.tui.glyphs import GLYPHS, Glyphs
from agent_tui.tui.habits import Habits
from agent_tui.tui.lines import Page
from agent_tui.tui.theme import Theme

QUIET_TICK = 5.0
"""Seconds between two redraws of a time that runs, where motion is reduced."""


@dataclass(slots=True)
class Look:
    """The one place that knows the theme in use; panes ask it for a page when they draw.

    ``wanted`` is the theme the settings name, empty or ``auto`` for ``fitting``, the one that fits the terminal; ``tick`` is
    how often a time that runs is drawn (seconds). ``themes`` are all that may be switched to; ``cwd`` and ``home`` shorten paths; ``habits`` say which keys hints name;
    with ``links`` addresses and paths are links of the terminal.
    """

    theme: Theme
    glyphs: Glyphs = GLYPHS
    cwd: str = ""
    home: str = ""
    themes: Mapping[str, Theme] = field(default_factory=dict[str, Theme])
    habits: Habits = field(default_factory=Habits)
    wanted: str = ""
    fitting: str = ""
    tick: float = 1.0
    links: bool = False

    def page(self, width: int) -> Page:
        """Give what a renderer must know, for rows of ``width`` cells."""
        return Page(self.theme, width, self.glyphs, self.cwd, self.home, self.links)
