"""The ``system/init`` message: said once for each prompt, at the moment that belongs to what is run."""

from __future__ import annotations

from collections.abc import Callable

from agent_tui.loop.record import Recorder
from agent_tui.protocol.content import JsonObject


class Init:
    """Says what a session consists of.

    Args:
        record: the session's writer.
        data: gives what is told, as it is now.
    """

    def __init__(self, record: Recorder, data: Callable[[], JsonObject]) -> None:
        self._record = record
        self._data = data
        self._due = False

    def expect(self) -> None:
        """Begin a prompt: its ``init`` has not been said."""
        self._due = True

    async def say(self) -> None:
        """Say it, unless it was said for this prompt."""
        if self._due:
            self._due = False
            await self._record.system("init", **self._data())
