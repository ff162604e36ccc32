from __future__ import annotations

from collections.abc import Iterator

import anyio
import pytest

from agent_tui.link.base import EngineUp
from agent_tui.link.exchange import Exchange
from agent_tui.link.wire import Answered, Ask, read_upward, reply_line
from agent_tui.link.wire import read_downward as read
from agent_tui.protocol.queries import Complete, Completion, Completions, Failed

pytestmark = pytest.mark.anyio


@pytest.fixture
def exchange() -> Iterator[Exchange]:
    made = Exchange()
    yield made
    made.end()
    made.close_heard()


class Kept:
    """A stream that keeps what is sent; broken, it takes nothing."""

    def __init__(self, *, broken: bool = False) -> None:
        self.sent: list[bytes] = []
        self.broken = broken
        self.got = anyio.Event()

    async def send(self, item: bytes) -> None:
        if self.broken:
            raise anyio.BrokenResourceError
        self.sent.append(item)
        self.got.set()

    async def send_eof(self) -> None: ...

    async def aclose(self) -> None: ...


async def test_lines_go_out_in_order_and_one_may_go_before_them(exchange: Exchange) -> None:
    stream = Kept()
    exchange.put(b"a\n")
    exchange.put(b"b\n")
    exchange.put(b"first\n", first=True)
    async with anyio.create_task_group() as group:
        group.start_soon(exchange.write_to, stream)  # pyright: ignore[reportArgumentType]
        await stream.got.wait()
        stream.got = anyio.Event()
        exchange.put(b"c\n")
        await stream.got.wait()
        group.cancel_scope.cancel()
    assert stream.sent == [b"first\na\nb\n", b"c\n"]


async def test_what_could_not_be_written_may_be_forgotten(exchange: Exchange) -> None:
    stream = Kept()
    exchange.put(b"old\n")
    await exchange.write_to(Kept(broken=True))  # pyright: ignore[reportArgumentType]
    exchange.put(b"older\n")
    exchange.drop_unwritten()
    exchange.put(b"new\n")
    async with anyio.create_task_group() as group:
        group.start_soon(exchange.write_to, stream)  # pyright: ignore[reportArgumentType]
        await stream.got.wait()
        group.cancel_scope.cancel()
    assert stream.sent == [b"new\n"]


async def test_a_reply_finds_who_asked_and_its_lack_is_told(exchange: Exchange) -> None:
    wanted = Completions((Completion("a.py"),))
    got: list[object] = []

    async def ask(text: str) -> None:
        got.append(await exchange.ask(Complete("file", text)))

    async with anyio.create_task_group() as group:
        group.start_soon(ask, "a")
        await anyio.wait_all_tasks_blocked()
        answered = read(reply_line(1, wanted))
        assert isinstance(answered, Answered)
        exchange.settle(answered)
        exchange.settle(Answered(99, {}))  # nobody asked that
        await anyio.wait_all_tasks_blocked()
        group.start_soon(ask, "b")
        await anyio.wait_all_tasks_blocked()
        exchange.settle(Answered(2, {"data": {"items": 7}}))
        await anyio.wait_all_tasks_blocked()
        group.start_soon(ask, "c")
        await anyio.wait_all_tasks_blocked()
        exchange.fail_all("it is gone")
    assert got[0] == wanted
    assert isinstance(got[1], Failed)
    assert got[2] == Failed("it is gone")
    exchange.end()
    assert await exchange.ask(Complete("file", "d")) == Failed("the engine is not running")
    assert exchange.ended.is_set()


async def test_what_is_heard_ends_when_either_side_ends_it(exchange: Exchange) -> None:
    await exchange.tell(EngineUp())
    exchange.end()
    assert [item async for item in exchange.messages()] == [EngineUp()]
    other = Exchange()
    other.close_heard()
    await other.tell(EngineUp())  # nobody listens, and that is no error
    assert [item async for item in other.messages()] == []
    other.end()


async def test_questions_cross_as_lines(exchange: Exchange) -> None:
    stream = Kept()
    async with anyio.create_task_group() as group:
        group.start_soon(exchange.ask, Complete("file", "x"))
        group.start_soon(exchange.write_to, stream)  # pyright: ignore[reportArgumentType]
        await stream.got.wait()
        group.cancel_scope.cancel()
    asked = read_upward(stream.sent[0])
    assert asked == Ask(1, Complete("file", "x"))
