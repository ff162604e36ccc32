"""A small app that holds the widgets a test gives it."""

from __future__ import annotations

from typing import TypeVar

from textual.app import App, ComposeResult
from textual.message import Message
from textual.widget import Widget

from agent_tui.tui.look import Look

T = TypeVar("T")


class Host(App[None], inherit_bindings=False):
    """Shows widgets in a column; keeps the messages of ours that reach it."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""

    def __init__(self, look: Look, *widgets: Widget) -> None:
        self.look = look
        super().__init__()
        self.widgets = widgets
        self.heard: list[Message] = []
        self.register_theme(look.theme.to_screen())
        self.theme = look.theme.name

    def compose(self) -> ComposeResult:
        """The widgets."""
        yield from self.widgets

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our roles."""
        return self.look.theme.variables()

    async def _on_message(self, message: Message) -> None:
        if type(message).__module__.startswith("agent_tui."):
            self.heard.append(message)
        await super()._on_message(message)

    def of(self, kind: type[T]) -> list[T]:
        """Give the messages of a kind that were heard."""
        return [message for message in self.heard if isinstance(message, kind)]


def screen_rows(app: App[None]) -> list[str]:
    """Give what the screen shows, row by row, without blanks at the ends."""
    compositor = app.screen._compositor  # pyright: ignore[reportPrivateUsage]
    width, height = app.size
    strips = compositor.render_strips(app.size)[:height]
    return [strip.text[:width].rstrip() for strip in strips]
