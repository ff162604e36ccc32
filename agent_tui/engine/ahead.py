"""Lines that wait for the first one that is said, so that nothing is written of a session that is only looked at."""

from __future__ import annotations

from agent_tui.journal.entries import Entry
from agent_tui.loop.scribe import Sink


class Ahead:
    """A sink that writes what waits before the first line it is given."""

    def __init__(self, sink: Sink, waiting: tuple[Entry, ...]) -> None:
        self._sink = sink
        self._waiting = waiting

    def append(self, *entries: Entry) -> None:
        """Write entries, and what waited first."""
        waiting, self._waiting = self._waiting, ()
        self._sink.append(*waiting, *entries)

    async def sync(self) -> None:
        """Make what was written survive a power cut."""
        await self._sink.sync()
