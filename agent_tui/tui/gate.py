"""A link that holds ops back until it is known with which options the session is to be opened."""

from __future__ import annotations

from collections.abc import AsyncIterator

from agent_tui.link.base import Incoming, Link
from agent_tui.protocol.ops import Op, Open
from agent_tui.protocol.queries import Query, Reply


class Gate:
    """Implements ``Link`` over another one. Queries pass at once; ops wait, in order, for ``open``."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._held: list[Op] | None = []

    def open(self, opening: Open) -> None:
        """Open the session, and let what was held back follow."""
        held, self._held = self._held or [], None
        for op in (opening, *held):
            self._link.send(op)

    def send(self, op: Op) -> None:
        """Hand an op over, or keep it."""
        if self._held is None:
            self._link.send(op)
        else:
            self._held.append(op)

    async def ask(self, query: Query) -> Reply:
        """Ask and wait for the reply."""
        return await self._link.ask(query)

    def messages(self) -> AsyncIterator[Incoming]:
        """Give the stream of what is said."""
        return self._link.messages()

    async def aclose(self) -> None:
        """Close the link; what is held back is never sent."""
        await self._link.aclose()
