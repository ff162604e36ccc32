"""The engine in this process: for ``-p``, programs and tests. The screen never uses it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from agent_tui.link.base import Incoming
from agent_tui.protocol.messages import Message
from agent_tui.protocol.ops import Op, Stop
from agent_tui.protocol.queries import Query, Reply


class LocalSession(Protocol):
    """What this link needs of a session; ``loop.session.Session`` is one."""

    def send(self, op: Op) -> None:
        """Take an op."""
        ...

    async def stopped(self) -> None:
        """Wait until a ``Stop`` has been carried out."""
        ...


class LocalLink:
    """A link to a session that lives in this process.

    ``messages`` is the session's own subscription, ``answer`` the engine's answerer of queries.
    """

    def __init__(
        self,
        session: LocalSession,
        messages: AsyncIterator[Message],
        answer: Callable[[Query], Awaitable[Reply]],
    ) -> None:
        self._session = session
        self._messages = messages
        self._answer = answer

    def send(self, op: Op) -> None:
        """Hand an op over."""
        self._session.send(op)

    async def ask(self, query: Query) -> Reply:
        """Ask and wait for the reply."""
        return await self._answer(query)

    def messages(self) -> AsyncIterator[Incoming]:
        """Give the session's messages."""
        return self._messages

    async def aclose(self) -> None:
        """Stop the session."""
        self._session.send(Stop())
        await self._session.stopped()
