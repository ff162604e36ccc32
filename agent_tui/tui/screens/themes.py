"""Choosing a theme: the whole screen and a sample show it at once; Esc takes it back, Enter keeps it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from agent_tui.tui.look import Look
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.tui.sample import sample
from agent_tui.tui.screens.choosing import Choice, ChoiceScreen
from agent_tui.tui.theme import Theme

AUTO = "auto"
TWO_PANES = 100
"""From this width on the sample stands beside the list."""
HINTS = ((("enter", "keep it"), ("up down", "try another"), ("esc", "as before")), ())


def choices(themes: Sequence[Theme]) -> tuple[Choice, ...]:
    """Give a row for each theme."""
    rows = [Choice(AUTO, AUTO, "light or dark, as the terminal is")]
    for theme in themes:
        about = "" if theme.about else "light on dark" if theme.dark else "dark on light"
        rows.append(Choice(theme.name, theme.name, theme.about or about))
    return tuple(rows)


class ThemesScreen(ChoiceScreen):
    """Gives the name of the theme to keep, ``auto`` for the terminal's, None for the one there was.

    Args:
        look: how things look; its themes are those that may be chosen.
        wanted: what the settings name, empty for ``auto``.
        use: shows a theme at once.
        auto: names the one that fits the terminal.
    """

    def __init__(
        self, look: Look, wanted: str, use: Callable[[str], None], auto: Callable[[], str]
    ) -> None:
        order = sorted(look.themes.values(), key=lambda theme: theme.name)
        super().__init__(look, "Theme", choices(order), current=wanted or AUTO, hints=HINTS)
        self._use = use
        self._auto = auto
        self._before = look.theme.name
        self._sample = Conversation(look, id="themes-sample")

    def compose(self) -> ComposeResult:
        """Title, field, list and sample, hints."""
        yield self.title_row
        yield self.search
        with Horizontal(id="themes-panes"):
            yield self.list
            yield self._sample
        yield self.hints

    def on_mount(self) -> None:
        """Show the sample."""
        super().on_mount()
        self._sample.extend(sample())
        self._sample.scroll_to_top()

    def on_resize(self, event: events.Resize) -> None:
        """The sample stands under the list where there is no room beside it."""
        self.set_class(event.size.width < TWO_PANES, "-one-pane")

    def moved(self) -> None:
        """Show the chosen one."""
        chosen = self.list.current
        if chosen is None:
            return
        name = self._auto() if chosen.id == AUTO else chosen.id
        if name in self.look.themes and name != self.look.theme.name:
            self._use(name)

    def leave(self) -> None:
        """Take back what was tried."""
        if self.look.theme.name != self._before:
            self._use(self._before)
        super().leave()
