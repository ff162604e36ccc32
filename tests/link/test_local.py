from __future__ import annotations

import anyio
import pytest

from agent_tui.link.base import Link
from agent_tui.link.local import LocalLink
from agent_tui.loop.hub import Hub
from agent_tui.protocol.messages import SystemMessage
from agent_tui.protocol.ops import Interrupt, Op, Prompt, Stop
from agent_tui.protocol.queries import Completions, Query, Reply, Sessions

pytestmark = pytest.mark.anyio


class Session:
    """Implements ``LocalSession``: keeps what was sent; ends after a ``Stop``, when let."""

    def __init__(self) -> None:
        self.sent: list[Op] = []
        self.end = anyio.Event()

    def send(self, op: Op) -> None:
        self.sent.append(op)

    async def stopped(self) -> None:
        await self.end.wait()


async def test_ops_queries_and_messages_pass_through() -> None:
    session, hub, asked = Session(), Hub(), list[Query]()

    async def answer(query: Query) -> Reply:
        asked.append(query)
        return Completions()

    with hub.subscribe() as messages:
        link: Link = LocalLink(session, messages, answer)
        prompt = Prompt("hi", "p1")
        link.send(prompt)
        link.send(Interrupt())
        assert session.sent == [prompt, Interrupt()]
        assert await link.ask(Sessions("/x")) == Completions()
        assert asked == [Sessions("/x")]
        await hub.emit(SystemMessage("init"))
        hub.close()
        assert [message async for message in link.messages()] == [SystemMessage("init")]


async def test_closing_stops_the_session_and_waits_for_its_end() -> None:
    session, hub = Session(), Hub()
    closed = anyio.Event()

    async def nothing(query: Query) -> Reply:
        raise AssertionError

    async def close(link: Link) -> None:
        await link.aclose()
        closed.set()

    with hub.subscribe() as messages:
        async with anyio.create_task_group() as group:
            group.start_soon(close, LocalLink(session, messages, nothing))
            await anyio.wait_all_tasks_blocked()
            assert session.sent == [Stop()]
            assert not closed.is_set()
            session.end.set()
    assert closed.is_set()
