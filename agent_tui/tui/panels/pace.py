"""When a question may show itself and when its keys count, so that no key meant for the prompt answers it."""

from __future__ import annotations

from dataclasses import dataclass

TYPING_PAUSE = 0.6
"""A question opens, and takes the keyboard, when no key was pressed for this long (seconds)."""
GRACE = 0.4
"""For this long after it opened a question ignores keys."""


AFTER_ANSWER = 0.8
"""The keys of a question count when the panel got none for this long: a key that is held down repeats after at most 0.7
seconds on usual machines, then many times a second, and must not answer the next question too."""


@dataclass(slots=True)
class Pace:
    """Keeps the times of keys and openings; all times come from the caller's clock, in seconds."""

    last_key: float = -1e9
    last_pressed: float = -1e9
    opened: float | None = None

    def key(self, now: float) -> None:
        """Note a key that went to the prompt."""
        self.last_key = now

    def pressed(self, now: float) -> None:
        """Note a key that answered a question, or that one ignored."""
        self.last_pressed = now

    def open(self, now: float) -> None:
        """Note that a question became visible."""
        self.opened = now

    def close(self) -> None:
        """Note that no question is visible."""
        self.opened = None

    def until_open(self, now: float) -> float:
        """Give how long a question must still wait before it may be shown; 0 or less: now."""
        return self.last_key + TYPING_PAUSE - now

    def until_armed(self, now: float) -> float:
        """Give how long the shown question must still ignore keys; 0 or less: its keys count."""
        if self.opened is None:
            return GRACE
        counts = max(
            self.opened + GRACE, self.last_key + TYPING_PAUSE, self.last_pressed + AFTER_ANSWER
        )
        return counts - now
