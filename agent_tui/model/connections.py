"""Which connections a request uses: kept ones while they are surely alive, new ones otherwise.

A connection that was idle while the machine slept looks healthy and is dead; waiting on it takes minutes. So the
*wall* clock decides, which goes on in sleep (the HTTP package looks at one that doesn't): after a pause, a jump of the
clock or a broken connection, the next request gets a fresh set, and the old one is closed when its last user is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import anyio

IDLE_CONNECTION_S = 10.0
"""A connection that has been idle for longer is not used again."""

CLOSING_S = 1.0
"""How long closing may take."""


class Closable(Protocol):
    """A client with connections of its own."""

    async def close(self) -> None:
        """Close them."""
        ...


C = TypeVar("C", bound=Closable)


@dataclass(eq=False, slots=True)
class Line(Generic[C]):
    """One set of connections. ``worn`` is set by a user who found a connection broken."""

    api: C
    users: int = 0
    worn: bool = False
    retired: bool = False


class Connections(Generic[C]):
    """Hands out the current set.

    Args:
        wall: seconds since the epoch.
    """

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall
        self._current: Line[C] | None = None
        self._last_used = 0.0

    async def take(self, open_new: Callable[[], C]) -> Line[C]:
        """Give the set to use; each ``take`` needs a ``give_back``. What ``open_new`` raises is passed on."""
        line, old = self._current, None
        idle = self._wall() - self._last_used
        if line is None or line.worn or not 0 <= idle <= IDLE_CONNECTION_S:
            old, line = line, Line(open_new())
            self._current = line
        line.users += 1
        self._last_used = self._wall()
        await _retire(old)
        return line

    async def give_back(self, line: Line[C]) -> None:
        """Say that a request is done."""
        line.users -= 1
        self._last_used = self._wall()
        await _close_if_left(line)

    async def aclose(self) -> None:
        """Let go of everything that isn't in use; what is, goes when its user is done."""
        old, self._current = self._current, None
        await _retire(old)


async def _retire(line: Line[C] | None) -> None:
    if line is not None:
        line.retired = True
        await _close_if_left(line)


async def _close_if_left(line: Line[C]) -> None:
    if line.retired and line.users == 0:
        with anyio.move_on_after(CLOSING_S, shield=True):
            await line.api.close()
