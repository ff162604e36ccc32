"""What every link over a stream does alike: lines out in order, replies to those who asked, one stream of what is heard."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

import anyio
from anyio.abc import ByteSendStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from agent_tui.link.base import Incoming
from agent_tui.link.wire import Answered, Ask, ask_line, read_reply
from agent_tui.protocol.queries import Failed, Query, Reply

INBOX = 4096


@dataclass(slots=True)
class _Waiting:
    query: Query
    done: anyio.Event
    reply: Reply | None = None


class Exchange:
    """One front end's words on their way, whatever carries them. It outlives the streams they go over.

    ``ended`` is set by its owner when nothing will be carried any more.
    """

    def __init__(self) -> None:
        self.ended = anyio.Event()
        self._outbox: list[bytes] = []
        self._outgoing = anyio.Event()
        self._say: MemoryObjectSendStream[Incoming]
        self._heard: MemoryObjectReceiveStream[Incoming]
        self._say, self._heard = anyio.create_memory_object_stream[Incoming](INBOX)
        self._waiting: dict[int, _Waiting] = {}
        self._next_ask = 0

    def put(self, line: bytes, *, first: bool = False) -> None:
        """Have a line written in its turn, or before all others."""
        self._outbox.insert(0 if first else len(self._outbox), line)
        self._outgoing.set()

    def drop_unwritten(self) -> None:
        """Forget the lines that were not written."""
        self._outbox = []

    async def ask(self, query: Query) -> Reply:
        """Ask and wait for the reply; ``Failed`` when it can't come any more."""
        if self.ended.is_set():
            return Failed("the engine is not running")
        self._next_ask += 1
        ask = Ask(self._next_ask, query)
        waiting = _Waiting(query, anyio.Event())
        self._waiting[ask.id] = waiting
        self.put(ask_line(ask))
        try:
            await waiting.done.wait()
        finally:
            self._waiting.pop(ask.id, None)
        return waiting.reply or Failed("the engine gave no answer")

    def settle(self, answered: Answered) -> None:
        """Hand a reply to who asked."""
        waiting = self._waiting.get(answered.id)
        if waiting is not None:
            try:
                waiting.reply = read_reply(waiting.query, answered.data)
            except ValueError as error:
                waiting.reply = Failed(str(error))
            waiting.done.set()

    def fail_all(self, why: str) -> None:
        """Tell all who wait that no reply comes."""
        for waiting in self._waiting.values():
            waiting.reply = Failed(why)
            waiting.done.set()

    async def write_to(self, stream: ByteSendStream) -> None:
        """Write lines as they come, until cancelled or the stream breaks."""
        while True:
            if not self._outbox:
                self._outgoing = anyio.Event()
                await self._outgoing.wait()
            batch, self._outbox = self._outbox, []
            try:
                await stream.send(b"".join(batch))
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                return

    async def tell(self, incoming: Incoming) -> None:
        """Put something into the stream of what is heard."""
        with contextlib.suppress(anyio.BrokenResourceError):  # closing: nobody listens
            await self._say.send(incoming)

    def messages(self) -> AsyncIterator[Incoming]:
        """Give the one stream of what is heard; it ends when either end is closed."""
        return _Heard(self._heard)

    def close_heard(self) -> None:
        """Hear nothing more: nobody may be reading, and that must not hold anything up."""
        self._heard.close()

    def end(self) -> None:
        """Nothing more is carried: the stream of what is heard ends, who asked is told."""
        self.ended.set()
        self.fail_all("the engine is not running")
        self._say.close()


class _Heard:
    def __init__(self, stream: MemoryObjectReceiveStream[Incoming]) -> None:
        self._stream = stream

    def __aiter__(self) -> AsyncIterator[Incoming]:
        return self

    async def __anext__(self) -> Incoming:
        try:
            return await self._stream.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            raise StopAsyncIteration from None
