"""What a session says, to everybody who listens. Bounded: a slow listener slows the session, it loses nothing."""

from __future__ import annotations

import math
from types import TracebackType
from typing import Self

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from agent_tui.protocol.messages import Message, StreamEvent

BUFFER = 1024


class Subscription:
    """One listener's stream; async-iterable, and a context manager that ends it."""

    def __init__(self, hub: Hub, *, deltas: bool, buffer: float) -> None:
        self._hub = hub
        self.deltas = deltas
        self.send: MemoryObjectSendStream[Message]
        self._receive: MemoryObjectReceiveStream[Message]
        self.send, self._receive = anyio.create_memory_object_stream[Message](buffer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        return await self._receive.__anext__()

    def waiting(self) -> Message | None:
        """Give the next message if one is there already."""
        try:
            return self._receive.receive_nowait()
        except (anyio.WouldBlock, anyio.EndOfStream):
            return None

    def close(self) -> None:
        """Listen no more."""
        self._hub.drop(self)
        self._receive.close()

    def end(self) -> None:
        """Tell the listener that nothing more will come."""
        self.send.close()


class Hub:
    """Sends each message to all listeners, in order."""

    def __init__(self) -> None:
        self._listeners: list[Subscription] = []
        self._closed = False

    def subscribe(self, *, deltas: bool = True, unbounded: bool = False) -> Subscription:
        """Listen from now on; without ``deltas`` no StreamEvents come."""
        subscription = Subscription(self, deltas=deltas, buffer=math.inf if unbounded else BUFFER)
        if self._closed:
            subscription.end()
        else:
            self._listeners.append(subscription)
        return subscription

    async def emit(self, message: Message) -> None:
        """Say it; returns when every listener has room for it."""
        partial = isinstance(message, StreamEvent)
        for listener in list(self._listeners):
            if partial and not listener.deltas:
                continue
            try:
                await listener.send.send(message)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                self.drop(listener)

    def drop(self, listener: Subscription) -> None:
        """Forget a listener; the sender's end is closed with it."""
        if listener in self._listeners:
            self._listeners.remove(listener)
            listener.send.close()

    def close(self) -> None:
        """Say nothing more."""
        self._closed = True
        for listener in list(self._listeners):
            listener.end()
        self._listeners.clear()
