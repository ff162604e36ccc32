"""Runs the program in a pseudo terminal as a person would, and takes its screen."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pyte

from pictures.grid import Grid, Screen, grid_of
from tests.journeys.terminal import Terminal

Verb = Literal["wait", "type", "keys", "pause"]

SETTLED = 1.5
"""Seconds without a change after which nothing more is expected: a question's keys count only a moment after it opens."""
PATIENCE = 60.0
"""Seconds to wait for something on the screen, also on a busy machine."""
SEQUENCES = {
    "delete": "\x1b[3~",
    "end": "\x1b[F",
    "home": "\x1b[H",
    "left": "\x1b[D",
    "right": "\x1b[C",
    "shift+down": "\x1b[1;2B",
    "shift+up": "\x1b[1;2A",
    "space": " ",
}
"""What keys send that the terminal doesn't know by name."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the person does, or waits for; see the functions below."""

    verb: Verb
    text: str

    def at(self, url: str) -> Step:
        """Put the server's address where ``{url}`` stands."""
        return replace(self, text=self.text.replace("{url}", url))


def wait(text: str) -> Step:
    """Go on when this is on the screen."""
    return Step("wait", text)


def typed(text: str) -> Step:
    """Type a text."""
    return Step("type", text)


def keys(names: str) -> Step:
    """Press keys, by their names with blanks between them."""
    return Step("keys", names)


def answerable() -> Step:
    """Go on when a question takes keys: a moment after it is shown."""
    return Step("pause", "")


class Camera(Terminal):
    """A terminal whose screen can be taken."""

    def __init__(
        self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], size: tuple[int, int]
    ) -> None:
        super().__init__(argv, cwd=cwd, env=env, size=size)
        self._screen = Screen(*size)
        self._stream = pyte.ByteStream(self._screen)

    def leave(self) -> None:
        """End the program as a closed window does, so that it ends what it has started."""
        self.kill(signal.SIGTERM)
        self.wait_exit()

    def follow(self, steps: Sequence[Step]) -> None:
        """Do what a person does, step by step."""
        for step in steps:
            match step.verb:
                case "wait":
                    self.wait_for(step.text, seconds=PATIENCE)
                case "type":
                    self.type(step.text)
                case "keys":
                    for name in step.text.split():
                        self.key(_sequence(name))
                case "pause":
                    self.pump(SETTLED)

    def settled(self, fixed: Callable[[Grid], Grid]) -> Grid:
        """Wait until the screen stays as it is, and take it.

        Args:
            fixed: puts fixed times into what was taken; only what changes then counts as a change.

        Raises:
            AssertionError: it goes on changing.
        """
        end = time.monotonic() + PATIENCE
        taken, since = fixed(grid_of(self._screen)), time.monotonic()
        while time.monotonic() - since < SETTLED:
            if time.monotonic() > end:
                raise AssertionError(f"the screen doesn't settle:\n{self.text}")
            self.pump(0.1)
            now = fixed(grid_of(self._screen))
            if now != taken:
                taken, since = now, time.monotonic()
        return taken


def _sequence(name: str) -> str:
    if name.startswith("ctrl+"):
        return chr(ord(name[5:]) & 31)
    return SEQUENCES.get(name, name)
