"""How long the answer "this session" is to hold: until the person leaves, for this task, some calls, some minutes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from agent_tui.protocol.requests import GrantLimit

Kind = Literal["session", "task", "calls", "minutes"]
KINDS: tuple[Kind, ...] = ("session", "task", "calls", "minutes")
"""From the longest on; further ones are one key away."""
DIGITS = 3


@dataclass(slots=True)
class Lasting:
    """What is chosen, and the numbers as they were typed.

    ``fresh``: the next digit begins a new number.
    """

    kind: Kind = "session"
    numbers: dict[str, int] = field(default_factory=lambda: {"calls": 5, "minutes": 10})
    fresh: bool = True

    @property
    def counted(self) -> bool:
        """Whether there is a number to be changed."""
        return self.kind in self.numbers

    @property
    def number(self) -> int:
        """The number of calls or minutes; at least 1."""
        return max(1, self.numbers.get(self.kind, 1))

    def move(self, by: int) -> None:
        """Go to another kind."""
        self.kind = KINDS[(KINDS.index(self.kind) + by) % len(KINDS)]
        self.fresh = True

    def digit(self, char: str) -> bool:
        """Put a digit behind the number, or begin a new one; False when there is none, or no room."""
        if not self.counted or not (char.isascii() and char.isdigit()):
            return False
        typed = ("" if self.fresh else str(self.numbers[self.kind] or "")) + char
        if len(typed) <= DIGITS:
            self.numbers[self.kind] = int(typed)
            self.fresh = False
        return True

    def erase(self) -> bool:
        """Take the last digit away; False when there is no number."""
        if not self.counted:
            return False
        self.numbers[self.kind] //= 10
        self.fresh = False
        return True

    def limit(self) -> GrantLimit | None:
        """Give it as it goes out with the answer; None: until the session ends."""
        match self.kind:
            case "session":
                return None
            case "task":
                return GrantLimit(task=True)
            case "calls":
                return GrantLimit(calls=self.number)
            case "minutes":
                return GrantLimit(minutes=self.number)

    def label(self) -> str:
        """Name the answer."""
        number = self.number
        match self.kind:
            case "session":
                return "This session"
            case "task":
                return "This task"
            case "calls":
                return f"{number} more call{'s' if number != 1 else ''}"
            case "minutes":
                return f"{number} minute{'s' if number != 1 else ''}"

    def words(self) -> str:
        """Say how long what is named before holds."""
        number = self.number
        match self.kind:
            case "session":
                return " until you leave"
            case "task":
                return " until this prompt has its result"
            case "calls":
                return f" now and {number} more time{'s' if number != 1 else ''}"
            case "minutes":
                return f" for {number} minute{'s' if number != 1 else ''}"
