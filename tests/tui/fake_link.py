"""A link without an engine: says what a test tells it to, keeps what the screen sends and asks."""

from __future__ import annotations

import inspect
import math
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar, cast

import anyio

from agent_tui.link.base import Incoming
from agent_tui.protocol.ops import Op
from agent_tui.protocol.queries import Completions, Failed, MessagePage, Query, Reply, SessionList

T = TypeVar("T")


class FakeLink:
    """Implements ``Link``. ``replies`` maps a query's class to a reply, or to a function of the query, which may be async."""

    def __init__(self, replies: dict[type[Any], Any] | None = None) -> None:
        self.sent: list[Op] = []
        self.asked: list[Query] = []
        self.closed = False
        self.replies: dict[type[Any], Any] = replies or {}
        self._say, self._heard = anyio.create_memory_object_stream[Incoming](math.inf)
        self.on_send: Callable[[Op], None] | None = None

    def say(self, *incoming: Incoming) -> None:
        """Have the session say something."""
        for item in incoming:
            self._say.send_nowait(item)

    def of(self, kind: type[T]) -> list[T]:
        """Give the ops of a kind that were sent."""
        return [op for op in self.sent if isinstance(op, kind)]

    def send(self, op: Op) -> None:
        """Keep an op."""
        self.sent.append(op)
        if self.on_send is not None:
            self.on_send(op)

    async def ask(self, query: Query) -> Reply:
        """Answer from ``replies``; what isn't there is empty."""
        self.asked.append(query)
        await anyio.sleep(0)
        reply = self.replies.get(type(query))
        if reply is not None:
            found = reply(query) if callable(reply) else reply
            return cast("Reply", await found if inspect.isawaitable(found) else found)
        empty: dict[str, Reply] = {
            "complete": Completions(),
            "page": MessagePage(),
            "sessions": SessionList(),
        }
        return empty.get(query.kind, Failed("nothing is known about that"))

    def messages(self) -> AsyncIterator[Incoming]:
        """Give what is said."""
        return self._heard

    async def serve(self) -> None:
        """There is no engine to run."""

    async def aclose(self) -> None:
        """End the stream."""
        self.closed = True
        self._say.close()

    def drop(self) -> None:
        """Let go of both ends, whoever still listens."""
        self._say.close()
        self._heard.close()
