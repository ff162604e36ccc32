"""The two streams of messages that every way to reach a server ends in, and how their end is noticed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self, TypeAlias

import anyio
from mcp.shared.message import SessionMessage

Item: TypeAlias = SessionMessage | Exception


class Incoming(Protocol):
    """Messages to be read, as the package wants them."""

    async def receive(self) -> Item:
        """Give the next one."""
        ...

    async def aclose(self) -> None:
        """Read no more."""
        ...

    def __aiter__(self) -> Incoming: ...
    async def __anext__(self) -> Item: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None: ...


class Outgoing(Protocol):
    """Messages to be written, as the package wants them."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write one."""
        ...

    async def aclose(self) -> None:
        """Write no more."""
        ...

    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None: ...


@dataclass(frozen=True, slots=True)
class Streams:
    """Messages from a server and to it. ``closed`` is set when no further ones will come."""

    read: Incoming
    write: Outgoing
    closed: anyio.Event = field(default_factory=anyio.Event)


Body: TypeAlias = Callable[[Streams], Awaitable[None]]
"""Talks over the streams; a transport runs it inside its own scopes and leaves when it returns."""


class Watched:
    """A read stream that sets ``closed`` when its end is reached."""

    def __init__(self, stream: Incoming, closed: anyio.Event) -> None:
        self._stream = stream
        self._closed = closed

    async def receive(self) -> Item:
        """Give the next message."""
        try:
            return await self._stream.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._closed.set()
            raise

    async def aclose(self) -> None:
        """Close the stream."""
        self._closed.set()
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


def watched(read: Incoming, write: Outgoing) -> Streams:
    """Make the streams of a transport that does not tell when it ends."""
    closed = anyio.Event()
    return Streams(Watched(read, closed), write, closed)
