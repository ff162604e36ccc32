"""The watching side, against a session that is played here."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import anyio
import pytest
from anyio.abc import SocketListener, SocketStream

from agent_tui.link import watch
from agent_tui.link.base import EngineLost, EngineUp, Incoming, OpenFailed
from agent_tui.link.lines import LineReader
from agent_tui.link.meeting import new_socket_path, sockets
from agent_tui.link.watch import WatchLink
from agent_tui.link.wire import (
    Ask,
    Here,
    bye_line,
    gap_line,
    here_line,
    message_line,
    read_upward,
    reply_line,
)
from agent_tui.protocol.messages import ConversationResetMessage, StatusChanged
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.queries import Failed, FolderOffer, FolderTrust, MessagePage, Page
from agent_tui.settings.paths import Environment

pytestmark = pytest.mark.anyio
T = TypeVar("T")
STATUS = StatusChanged("session-1", "m", "default", cwd="/p")


@pytest.fixture
def env() -> Iterator[Environment]:
    with tempfile.TemporaryDirectory(prefix="w-", dir="/tmp") as runtime:
        yield Environment({"XDG_RUNTIME_DIR": runtime}, Path(runtime) / "home")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "FIRST_LOOK", 0.05)
    monkeypatch.setattr(watch, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(watch, "HELLO_SECONDS", 0.3)


class Played:
    """A session that somebody may watch: ``guests`` are the connections, ``heard`` what they wrote."""

    def __init__(self, env: Environment, here: Here | None) -> None:
        self.env = env
        self.here = here
        self.guests: list[SocketStream] = []
        self.heard: list[object] = []
        self.came = anyio.Event()
        self.up = anyio.Event()
        self.path = Path()
        self._listener: SocketListener | None = None

    async def serve(self) -> None:
        self.path = new_socket_path(self.env)
        self._listener = await anyio.create_unix_listener(self.path)
        self.up.set()
        async with self._listener:
            await self._listener.serve(self._let_in)

    async def _let_in(self, stream: SocketStream) -> None:
        async with stream:
            self.guests.append(stream)
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                if self.here is not None:
                    await stream.send(here_line(self.here))
                    self.came.set()
                async for raw in LineReader(stream):
                    item = read_upward(raw)
                    self.heard.append(item)
                    if isinstance(item, Ask):
                        await stream.send(reply_line(item.id, MessagePage()))
            self.guests.remove(stream)

    async def say(self, *lines: bytes) -> None:
        await self.came.wait()
        for guest in self.guests:
            await guest.send(b"".join(lines))

    async def die(self) -> None:
        """Go as a killed engine goes: connections break, the socket stays."""
        self.came = anyio.Event()
        for guest in list(self.guests):
            await guest.aclose()


class Watching:
    """A link being served."""

    def __init__(self, link: WatchLink) -> None:
        self.link = link
        self._messages: AsyncIterator[Incoming] = link.messages()

    async def next(self) -> Incoming | None:
        return await anext(self._messages, None)

    async def until(self, kind: type[T]) -> T:
        while (item := await self.next()) is not None:
            if isinstance(item, kind):
                return item
        raise AssertionError(f"no {kind.__name__} came")


async def during(
    link: WatchLink, *played: Played, body: Callable[[Watching], Awaitable[None]]
) -> None:
    with anyio.fail_after(20):
        async with anyio.create_task_group() as sessions:
            for one in played:
                sessions.start_soon(one.serve)
                await one.up.wait()
            async with anyio.create_task_group() as group:
                group.start_soon(link.serve)
                try:
                    await body(Watching(link))
                finally:
                    await link.aclose()
            sessions.cancel_scope.cancel()


async def test_what_is_said_is_heard_and_pages_are_asked_for(env: Environment) -> None:
    played = Played(env, Here("session-1", "/p"))

    async def body(watching: Watching) -> None:
        assert await watching.next() == EngineUp()
        await played.say(message_line(STATUS), b"no json\n", b'{"type": "later"}\n')
        assert await watching.next() == STATUS
        assert await watching.link.ask(Page()) == MessagePage()
        # asked here: whether the folder is trusted is the other window's affair
        assert await watching.link.ask(FolderTrust({})) == FolderOffer()
        watching.link.send(Prompt("rm -rf /", "p1"))
        assert await watching.link.ask(Page()) == MessagePage()
        await watching.link.aclose()
        assert await watching.next() is None
        assert await watching.link.ask(Page()) == Failed("the engine is not running")

    await during(WatchLink(env, cwd="/p"), played, body=body)
    assert all(isinstance(item, Ask) for item in played.heard)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("", "session-1"), ("session-2", "session-2"), ("SESSION-2", "session-2"), ("fix it", "session-2")],
)  # fmt: skip
async def test_the_wanted_one_is_chosen(env: Environment, wanted: str, found: str) -> None:
    one = Played(env, Here("session-1", "/p"))
    two = Played(env, Here("session-2", "/q", "Fix it"))

    async def body(watching: Watching) -> None:
        await watching.until(EngineUp)
        chosen = {"session-1": one, "session-2": two}[found]
        await chosen.say(message_line(STATUS))
        assert await watching.next() == STATUS

    await during(WatchLink(env, wanted, "/p"), one, two, body=body)


async def test_what_is_not_there_is_told_with_what_is(env: Environment) -> None:
    async def alone(watching: Watching) -> None:
        failed = await watching.until(OpenFailed)
        assert failed.error == "no session is running in this folder; there is nothing to watch"
        assert await watching.next() is None

    async def beside(watching: Watching) -> None:
        failed = await watching.until(OpenFailed)
        assert failed.error == "no session 'x' is running. Running are:\n  session-2  Fix it"

    await during(WatchLink(env, cwd="/p"), body=alone)
    await during(WatchLink(env, "x"), Played(env, Here("session-2", "/q", "Fix it")), body=beside)


async def test_one_that_says_nothing_is_passed_over(env: Environment) -> None:
    silent, talks = Played(env, None), Played(env, Here("session-1", "/p"))

    async def body(watching: Watching) -> None:
        assert await watching.next() == EngineUp()

    await during(WatchLink(env, cwd="/p"), talks, silent, body=body)


async def test_a_dead_socket_is_cleared_away(env: Environment) -> None:
    path = new_socket_path(env)
    listener = await anyio.create_unix_listener(path)
    await listener.aclose()
    path.touch() if not path.exists() else None

    async def body(watching: Watching) -> None:
        await watching.until(OpenFailed)

    await during(WatchLink(env), body=body)
    assert sockets(env) == ()


@pytest.mark.parametrize(
    "successor", [Here("session-1", "/p", front=2), Here("session-9", "/p", front=7)]
)
async def test_who_goes_on_with_the_session_is_found(env: Environment, successor: Here) -> None:
    """By its id, or, when nothing was said in it yet, because it belongs to the same screen."""
    first = Played(env, Here("session-1", "/p", front=7))
    second, other = Played(env, successor), Played(env, Here("session-5", "/p", front=3))

    async def body(watching: Watching) -> None:
        assert await watching.next() == EngineUp()
        await first.came.wait()
        first.here = None  # it answers nobody any more
        await first.die()
        assert await watching.next() == EngineLost("its engine is gone")
        async with anyio.create_task_group() as group:
            group.start_soon(other.serve)
            group.start_soon(second.serve)
            assert await watching.next() == EngineUp(restarted=True)
            await second.say(message_line(STATUS))
            assert await watching.next() == STATUS
            group.cancel_scope.cancel()

    await during(WatchLink(env, cwd="/p"), first, body=body)


async def test_the_end_is_told_and_then_that_it_has_not_gone_on(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LOOK_FOR", 0.2)
    played = Played(env, Here("session-1", "/p"))

    async def body(watching: Watching) -> None:
        await watching.until(EngineUp)
        await played.say(bye_line())
        played.here = Here("another", "/p")
        await played.die()
        assert await watching.next() == EngineLost("the session has ended")
        assert await watching.next() == EngineLost("the session has ended", restarting=False)
        assert await watching.next() is None

    await during(WatchLink(env, cwd="/p"), played, body=body)


async def test_a_gap_has_the_page_asked_for_again_and_a_new_conversation_is_followed(
    env: Environment,
) -> None:
    played = Played(env, Here("session-1", "/p"))

    async def body(watching: Watching) -> None:
        await watching.until(EngineUp)
        await played.say(gap_line())
        assert await watching.next() == EngineUp(restarted=True)
        reset = ConversationResetMessage("session-2", "u", "session-1")
        await played.say(message_line(reset))
        assert await watching.next() == reset
        played.here = Here("session-2", "/p")
        await played.die()
        assert await watching.next() == EngineLost("its engine is gone")
        assert await watching.next() == EngineUp(restarted=True)

    await during(WatchLink(env, cwd="/p"), played, body=body)


async def test_nobody_else_is_taken_for_a_session(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(connection: object) -> bool:
        return False

    monkeypatch.setattr(watch, "is_same_person", nobody)

    async def body(watching: Watching) -> None:
        await watching.until(OpenFailed)

    await during(WatchLink(env, cwd="/p"), Played(env, Here("session-1", "/p")), body=body)


async def test_a_link_that_was_never_served_closes(env: Environment) -> None:
    link = WatchLink(env)
    await link.aclose()
    assert [item async for item in link.messages()] == []
