"""A screen over another one that shows rows to be read: keys and wheel scroll them, Esc goes back."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult

from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.help import Hints, Title
from agent_tui.tui.screens.overlay import Overlay

FAR = 1 << 30
CLOSING = frozenset({"escape", "q", "ctrl+c", "ctrl+d"})


class Scrolled(Overlay[None], inherit_bindings=False):
    """Title, rows, hints. ``take_key`` is asked first about each key.

    Attributes:
        body: the rows.
        title: the row above them, whose facts may change.
    """

    AUTO_FOCUS = ""

    def __init__(
        self, look: Look, title: str, body: Sheet, hints: Sequence[tuple[str, str]] = ()
    ) -> None:
        super().__init__()
        self.look = look
        self.body = body
        self.body.fills = True
        self.body.add_class("scrolled-body")
        self.title_row = Title(look, title)
        self.title_row.add_class("scrolled-title")
        self._hints = (("up down", "scroll"), *hints, ("esc", "back"))

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield self.title_row
        yield self.body
        yield Hints(self.look, self._hints)

    def take_key(self, key: str) -> bool:
        """Do what a key means on this screen alone; tell whether it meant something."""
        return False

    def on_key(self, event: events.Key) -> None:
        """Scroll, or go back."""
        page = max(1, self.body.size.height - 1)
        steps = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -page, "pagedown": page, "space": page, "home": -FAR, "end": FAR}  # fmt: skip
        if self.take_key(event.key):
            event.stop()
        elif event.key in steps:
            event.stop()
            self.body.scroll(steps[event.key])
        elif event.key in CLOSING:
            event.stop()
            self.answer()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll."""
        self.body.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll."""
        self.body.scroll(-3)
