"""The field in which a text to be found in the conversation is typed; at its right, which place one is at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message

from agent_tui.tui.editor import KillRing
from agent_tui.tui.lines import Span
from agent_tui.tui.look import Look
from agent_tui.tui.panes.field import Field


class FindBar(Field):
    """Shown while one searches; its keys go from place to place. ``guard`` may drop a key before it means anything.

    ``leave`` is called when the search is over: True for back to where it began, False to stay at what was found. It is
    no message, since the next key already belongs to whoever has the keyboard then.
    """

    DEFAULT_CSS = "FindBar { height: auto; display: none; } FindBar.-open { display: block; }"

    @dataclass
    class Stepped(Message):
        """To the next place (1), or the one before (-1)."""

        by: int

    def __init__(self, look: Look, kills: KillRing) -> None:
        super().__init__(
            look, kills, single_line=True, placeholder="find in the conversation", id="find"
        )
        self.guard: Callable[[events.Key], bool] | None = None
        self.leave: Callable[[bool], None] | None = None
        self._said = ""
        self._alarming = False

    def say(self, text: str, *, alarming: bool = False) -> None:
        """Say how the search stands; ``alarming`` when nothing is found."""
        if (text, alarming) != (self._said, self._alarming):
            self._said, self._alarming = text, alarming
            self.redraw()

    def lead(self, row: int) -> Sequence[Span]:
        """The slash."""
        theme = self.look.theme
        return ((" ", theme.style("text", "surface")), ("/", theme.style("accent", "surface")))

    def facts(self) -> Sequence[Span]:
        """Which place of how many."""
        role = "text" if self._alarming else "muted"
        return ((self._said, self.look.theme.style(role, "surface")),) if self._said else ()

    def on_key(self, event: events.Key) -> None:
        """Ask the guard first."""
        if self.guard is not None and self.guard(event):
            event.stop()
            event.prevent_default()
        else:
            super().on_key(event)

    def take_key(self, event: events.Key) -> bool:
        """Go from place to place, leave, or edit."""
        match self.look.habits.keys.action(event.key, "find"):
            case "find:before":
                self.post_message(self.Stepped(-1))
            case "find:next":
                self.post_message(self.Stepped(1))
            case "find:stay":
                self._leave(back=False)
            case "find:cancel":
                self._leave(back=True)
            case _:
                return super().take_key(event)
        return True

    def _leave(self, *, back: bool) -> None:
        if self.leave is not None:
            self.leave(back)

    def hints(self) -> tuple[tuple[str, str], ...]:
        """Give the keys worth naming."""
        label = self.look.habits.keys.label
        return (
            (label("find:before"), "before"),
            (label("find:next"), "next"),
            (label("find:stay"), "stay here"),
            (label("find:cancel"), "back"),
        )
