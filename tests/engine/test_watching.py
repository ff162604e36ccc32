"""Those who watch a session over its socket, and what they can't do to it."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import anyio
import pytest
from anyio.abc import SocketStream

from agent_tui.engine import watching
from agent_tui.engine.watching import MAX_GUESTS, READ_ONLY, Gallery
from agent_tui.link.lines import LineReader
from agent_tui.link.meeting import sockets
from agent_tui.link.wire import (
    Answered,
    Ask,
    Bye,
    Downward,
    Gap,
    Here,
    ask_line,
    message_line,
    op_line,
    read_downward,
    read_reply,
)
from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.errors import SessionError
from agent_tui.protocol.messages import AssistantMessage, Message, StatusChanged, StreamEvent
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.queries import Complete, Failed, MessagePage, Page, Query, Reply
from agent_tui.protocol.records import to_record
from agent_tui.settings.paths import Environment

pytestmark = pytest.mark.anyio
T = TypeVar("T")
STATUS = StatusChanged("s1", "m", "default", title="Tidy", cwd="/p")


def said(number: int, text: str = "") -> AssistantMessage:
    return AssistantMessage(
        (TextBlock(text or f"text {number}"),), "m", uuid=f"a{number}", message_id=f"m{number}"
    )


@dataclass
class Pages:
    """Answers pages from what was said so far, when ``go`` is set."""

    past: list[Message] = field(default_factory=list[Message])
    asked: list[Query] = field(default_factory=list[Query])
    go: anyio.Event = field(default_factory=anyio.Event)
    fails: bool = False

    async def answer(self, query: Query) -> Reply:
        self.asked.append(query)
        page = MessagePage(tuple(to_record(m) for m in self.past), False)
        await self.go.wait()
        if self.fails:
            raise SessionError("there is no page")
        return page


class Guest:
    """A connection to the gallery."""

    def __init__(self, stream: SocketStream) -> None:
        self.stream = stream
        self._lines: AsyncIterator[bytes] = aiter(LineReader(stream))

    async def next(self) -> Downward | None:
        raw = await anext(self._lines, None)
        return None if raw is None else read_downward(raw)

    async def until(self, kind: type[T]) -> T:
        while (item := await self.next()) is not None:
            if isinstance(item, kind):
                return item
        raise AssertionError(f"no {kind.__name__} came")

    async def ask(self, query: Query) -> Reply:
        await self.stream.send(ask_line(Ask(1, query)))
        return read_reply(query, (await self.until(Answered)).data)


@dataclass
class House:
    gallery: Gallery
    pages: Pages
    env: Environment

    def say(self, *messages: Message) -> None:
        self.pages.past += [m for m in messages if not isinstance(m, StreamEvent | StatusChanged)]
        self.gallery.offer(messages, b"".join(map(message_line, messages)))

    async def guest(self) -> Guest:
        while not sockets(self.env):
            await anyio.sleep(0.01)
        while True:
            try:
                return Guest(await anyio.connect_unix(sockets(self.env)[0]))
            except ConnectionRefusedError:  # named, and not listened at yet
                await anyio.sleep(0.01)


@pytest.fixture
def env() -> Iterator[Environment]:
    with tempfile.TemporaryDirectory(prefix="w-", dir="/tmp") as runtime:
        yield Environment({"XDG_RUNTIME_DIR": runtime}, Path(runtime) / "home")


async def during(env: Environment, body: Callable[[House], Awaitable[None]]) -> None:
    pages = Pages()
    pages.go.set()
    house = House(Gallery(env, pages), pages, env)
    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(house.gallery.serve)
            try:
                await body(house)
            finally:
                house.gallery.close()
    assert sockets(env) == ()


async def test_one_is_told_where_they_are_then_the_page_then_what_is_said(env: Environment) -> None:
    async def body(house: House) -> None:
        house.say(STATUS, said(1))
        guest = await house.guest()
        async with guest.stream:
            here = await guest.next()
            assert isinstance(here, Here)
            assert (here.session_id, here.cwd, here.title) == ("s1", "/p", "Tidy")
            house.say(said(2))  # before they have asked: in the page
            page = await guest.ask(Page(count=9))
            assert isinstance(page, MessagePage) and len(page.records) == 2
            assert await guest.next() == STATUS
            house.say(said(3))
            assert await guest.next() == said(3)
            house.gallery.close()
            assert isinstance(await guest.next(), Bye)
            assert await guest.next() is None

    await during(env, body)


async def test_what_is_said_while_the_page_is_read_is_not_lost(env: Environment) -> None:
    def event(kind: str, **fields: object) -> StreamEvent:
        return StreamEvent("u", "s1", {"type": kind, **fields})

    async def body(house: House) -> None:
        house.say(STATUS, said(1))
        house.pages.go = anyio.Event()
        guest = await house.guest()
        async with guest.stream:
            await guest.stream.send(ask_line(Ask(1, Page(count=9))))
            while not house.pages.asked:
                await anyio.sleep(0.01)
            begun = event("message_start", message={"id": "m3"})
            house.say(said(2), begun)
            house.pages.go.set()
            page = read_reply(Page(), (await guest.until(Answered)).data)
            assert isinstance(page, MessagePage) and len(page.records) == 1
            assert [await guest.next() for _ in range(3)] == [said(2), STATUS, begun]

    await during(env, body)


async def test_nothing_can_be_sent_and_nothing_asked_but_pages_of_this_session(
    env: Environment,
) -> None:
    async def body(house: House) -> None:
        house.say(STATUS)
        guest = await house.guest()
        async with guest.stream:
            await guest.stream.send(op_line(Prompt("rm -rf", "p")) + b"no json\n[]\n{}\n")
            assert await guest.ask(Complete("file", "x")) == Failed(READ_ONLY)
            assert await guest.ask(Page(session_id="another")) == Failed(READ_ONLY)
            assert house.pages.asked == []
            assert isinstance(await guest.ask(Page(before="u1")), MessagePage)
            house.pages.fails = True
            assert await guest.ask(Page()) == Failed("there is no page")
            await guest.stream.send(b"x" * (watching.MAX_LINE + 10))  # a line without end
            assert await guest.until(StatusChanged) == STATUS
            assert await guest.next() is None

    await during(env, body)


async def test_one_who_does_not_read_holds_nobody_up_and_begins_anew(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "MAX_BEHIND", 200_000)

    async def body(house: House) -> None:
        house.say(STATUS)
        guest = await house.guest()
        async with guest.stream:
            await guest.ask(Page())
            for number in range(40):
                house.say(said(number, "x" * 50_000))  # never waits, whatever they do
                await anyio.sleep(0)
            house.pages.past.clear()
            await guest.until(Gap)
            page = await guest.ask(Page())
            assert isinstance(page, MessagePage) and page.records == ()
            assert await guest.until(StatusChanged) == STATUS
            house.say(said(99))
            assert await guest.next() == said(99)

    await during(env, body)


async def test_who_goes_is_forgotten_and_only_so_many_get_in(env: Environment) -> None:
    async def body(house: House) -> None:
        house.say(STATUS)
        guests = [await house.guest() for _ in range(MAX_GUESTS)]
        for guest in guests:
            assert isinstance(await guest.next(), Here)
        late = await house.guest()
        async with late.stream:
            assert await late.next() is None
        for guest in guests:
            await guest.stream.aclose()
        while True:
            again = await house.guest()
            async with again.stream:
                if await again.next() is not None:
                    return

    await during(env, body)


async def test_nobody_else_gets_in(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(connection: object) -> bool:
        return False

    monkeypatch.setattr(watching, "is_same_person", nobody)

    async def body(house: House) -> None:
        house.say(STATUS)
        guest = await house.guest()
        async with guest.stream:
            assert await guest.next() is None

    await during(env, body)


async def test_a_session_that_never_began_has_no_socket(env: Environment) -> None:
    async def body(house: House) -> None:
        await anyio.wait_all_tasks_blocked()
        assert sockets(env) == ()

    await during(env, body)


async def test_where_there_is_no_place_for_a_socket_the_session_goes_on(tmp_path: Path) -> None:
    home = tmp_path / ("x" * 100)
    nowhere = Environment({"TMPDIR": str(tmp_path / "none")}, home)

    async def body(house: House) -> None:
        house.say(STATUS, said(1))
        await anyio.wait_all_tasks_blocked()

    await during(nowhere, body)
