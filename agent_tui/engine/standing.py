"""What the model is to know for as long as it holds: plan mode, the tools it can search for.

It is told behind what was said, in the conversation, whenever it has changed; never in the system prompt, where any
change would cost the whole cache. What was told is read back from the window, so that a resumed session repeats
nothing, and a window that was cut is told again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from agent_tui.context.request import reminder
from agent_tui.journal.lines import Line
from agent_tui.loop.record import Recorder
from agent_tui.protocol.ports import ToolShelf

BEGIN = "<system-reminder>\n"

PLAN_ON = "Plan mode is on."
PLAN_OFF = (
    "Plan mode is over. You may change things again, as far as the permission mode allows it."
)

THERE = "Tools that you know by name only; load them with ToolSearch before you call them:"
GONE = "Tools that are no longer there:"


class Note(Protocol):
    """One thing to know, and what the model was told of it."""

    def forget(self) -> None:
        """The window is empty."""
        ...

    def hear(self, text: str) -> None:
        """Take in a reminder that the window holds, without its tags."""
        ...

    def due(self) -> str | None:
        """Give what is to be told now."""
        ...


class Standing:
    """Tells what is due, and keeps track of what the window holds."""

    def __init__(self, record: Recorder, *notes: Note) -> None:
        self._record = record
        self._notes = notes
        self._read = 0
        self._last = ""

    def tell(self) -> None:
        """Write the reminders that are due."""
        self._catch_up()
        for note in self._notes:
            text = note.due()
            if text is not None:
                self._record.reminder(reminder(text))
        self._catch_up()

    def _catch_up(self) -> None:
        """Read the lines that are new since the last time; all, where the window is another."""
        lines = self._record.conversation.lines
        if self._read > len(lines) or (self._read and lines[self._read - 1].uuid != self._last):
            self._read = 0
        if not self._read:
            for note in self._notes:
                note.forget()
        for number in range(self._read, len(lines)):
            text = _reminder_in(lines[number])
            if text:
                for note in self._notes:
                    note.hear(text)
        self._read = len(lines)
        self._last = lines[-1].uuid if lines else ""


class PlanNote:
    """Whether plan mode is on.

    Args:
        mode: gives the permission mode in force.
        rules: what holds in plan mode.
    """

    def __init__(self, mode: Callable[[], str], rules: str) -> None:
        self._mode = mode
        self._rules = rules
        self._told = False

    def forget(self) -> None:
        """Nothing was told."""
        self._told = False

    def hear(self, text: str) -> None:
        """Note what was said of the mode."""
        if text.startswith(PLAN_ON):
            self._told = True
        elif text.startswith(PLAN_OFF):
            self._told = False

    def due(self) -> str | None:
        """Tell a change."""
        planning = self._mode() == "plan"
        if planning == self._told:
            return None
        return f"{PLAN_ON} {self._rules}" if planning else PLAN_OFF


class ShelfNote:
    """Which tools can be searched for."""

    def __init__(self, shelf: ToolShelf) -> None:
        self._shelf = shelf
        self._told: set[str] = set()

    def forget(self) -> None:
        """Nothing was told."""
        self._told = set()

    def hear(self, text: str) -> None:
        """Take in the names that came and went."""
        change = None
        for line in text.splitlines():
            if line == THERE:
                change = self._told.add
            elif line == GONE:
                change = self._told.discard
            elif change is not None and line:
                change(line)

    def due(self) -> str | None:
        """Tell the names that the model does not know of, and those it knows for nothing."""
        there = {tool.name for tool in self._shelf.shelved()}
        new, gone = sorted(there - self._told), sorted(self._told - there)
        parts = [*([THERE, *new] if new else []), *([GONE, *gone] if gone else [])]
        return "\n".join(parts) or None


def _reminder_in(line: Line) -> str:
    """Give the text of a line that is a reminder, without its tags."""
    if line.role != "user" or line.is_context or not line.blocks:
        return ""
    text = str(line.blocks[0].get("text", ""))
    if not text.startswith(BEGIN):
        return ""
    return text.removeprefix(BEGIN).removesuffix("\n</system-reminder>")
