"""A connection: what one call, one death, one wish does to it, and what it doesn't."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.mcp import connection as module
from agent_tui.mcp.connection import Connection, Patience
from agent_tui.mcp.link import Listing, Offer, Progress, ServerError, Stay, Target
from agent_tui.protocol.content import JsonObject
from tests.mcp.stage import connected, inside, program, remote, target, unheard
from tests.mcp.stub_server import make

pytestmark = pytest.mark.anyio


async def said(connection: Connection, tool: str, **args: Any) -> str:
    """Call a tool; give the text of its result."""
    result = await connection.call(tool, args, unheard)
    return str(result["content"][0]["text"])


def both(folder: Path, **more: Any) -> tuple[Target, Target]:
    """The stub as a program, and inside."""
    return target(program(**more), folder), target(inside(**more), folder, make())


async def test_a_server_is_connected_and_called(tmp_path: Path) -> None:
    for here in both(tmp_path):
        async with connected(here) as connection:
            assert (connection.state, connection.error) == ("connected", "")
            listing = connection.listing
            assert (listing.server_name, listing.server_version) == ("stub", "1.2")
            assert listing.instructions == "Be gentle."
            assert await said(connection, "echo", a=1) == '{"a": 1}'


async def test_m4_a_slow_call_fails_alone_and_the_server_is_told(tmp_path: Path) -> None:
    for here in both(tmp_path, timeout=1000):
        async with connected(here) as connection:
            with anyio.fail_after(20):
                with pytest.raises(ServerError, match=r"longer than 1 s"):
                    await said(connection, "sleep")
                assert connection.state == "connected"
                assert await said(connection, "ping") == "pong"
                assert await said(connection, "cancelled") == "True"


async def test_m4_a_server_that_dies_fails_the_call_at_once_and_the_next_one_connects_it(
    tmp_path: Path,
) -> None:
    async with connected(target(program(), tmp_path)) as connection:
        with anyio.fail_after(20):
            with pytest.raises(ServerError, match="ended during the call"):
                await said(connection, "die")
            assert await said(connection, "ping") == "pong"
            assert connection.state == "connected"


async def test_an_interrupted_call_is_cancelled_at_the_server(tmp_path: Path) -> None:
    for here in both(tmp_path):
        async with connected(here) as connection:
            with anyio.move_on_after(0.3):
                await said(connection, "sleep")
            assert await said(connection, "cancelled") == "True"


async def test_a_program_that_is_missing_or_ends_at_once_is_said_to_be(tmp_path: Path) -> None:
    missing = target(program(command="/no/such/program"), tmp_path)
    async with connected(missing) as connection:
        assert connection.state == "failed"
        assert connection.error == "/no/such/program was not found"
    ends = target(program(command=sys.executable, args=["-c", "pass"]), tmp_path)
    async with connected(ends) as connection:
        assert connection.state == "failed"
        assert connection.error == "the server ended before it could be connected"
        with pytest.raises(ServerError, match="can't be reached: the server ended before"):
            await said(connection, "ping")


async def test_a_server_that_never_greets_is_given_up(tmp_path: Path) -> None:
    silent = target(program(args=["-c", "import time; time.sleep(1000)"]), tmp_path)
    async with connected(silent, Patience(connect_s=0.5)) as connection:
        assert (connection.state, connection.error) == ("failed", "it did not answer within 0.5 s")


# Without a server -----------------------------------------------------------------------------------------------


class FakeLink:
    """Implements ``Link``; ``die`` ends it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.ended = anyio.Event()

    @property
    def alive(self) -> bool:
        return not self.ended.is_set()

    async def listing(self) -> Listing:
        return Listing((Offer(f"tool{self.number}"),))

    async def call(self, tool: str, args: JsonObject, tell: Progress) -> JsonObject:
        return {"link": self.number}

    async def news(self) -> bool:
        await self.ended.wait()
        return False


class Opener:
    """Implements ``Open``: connects ``faults`` times in vain, then gives links; remembers them."""

    def __init__(self, *faults: ServerError) -> None:
        self.links: list[FakeLink] = []
        self.tries = 0
        self._faults = list(faults)

    async def __call__(self, target: Target, stay: Stay) -> None:
        self.tries += 1
        await anyio.lowlevel.checkpoint()
        if self._faults:
            raise self._faults.pop(0)
        self.links.append(FakeLink(len(self.links)))
        await stay(self.links[-1])


@asynccontextmanager
async def over(
    opener: Opener, folder: Path, *, elsewhere: bool = False
) -> AsyncGenerator[Connection]:
    config = remote("http://127.0.0.1:1/mcp") if elsewhere else program()
    connection = Connection(target(config, folder), Patience(connect_s=5), lambda: None, opener)
    async with anyio.create_task_group() as group:
        group.start_soon(connection.serve)
        with anyio.fail_after(20):
            await connection.settle()
            yield connection
        group.cancel_scope.cancel()


async def test_a_wish_to_reconnect_makes_a_new_link(tmp_path: Path) -> None:
    opener = Opener()
    async with over(opener, tmp_path) as connection:
        await connection.reconnect()
        assert len(opener.links) == 2
        assert connection.listing.offers[0].name == "tool1"
        assert await connection.call("t", {}, unheard) == {"link": 1}


async def test_a_wish_that_fails_says_why_and_a_call_tries_once_more(tmp_path: Path) -> None:
    opener = Opener(ServerError("no"), ServerError("still no"), ServerError("never"))
    async with over(opener, tmp_path) as connection:
        assert (connection.state, connection.error) == ("failed", "no")
        with pytest.raises(ServerError, match="still no"):
            await connection.reconnect()
        with pytest.raises(ServerError, match="can't be reached: never"):
            await connection.call("t", {}, unheard)
        assert await connection.call("t", {}, unheard) == {"link": 0}


async def said_by(connection: Connection) -> None:
    assert await connection.call("t", {}, unheard) == {"link": 1}


async def test_calls_that_come_together_connect_it_once(tmp_path: Path) -> None:
    opener = Opener()
    async with over(opener, tmp_path) as connection:
        opener.links[0].ended.set()
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(said_by, connection)
        assert opener.tries == 2


async def test_one_that_is_switched_off_is_left_and_takes_no_calls(tmp_path: Path) -> None:
    opener = Opener()
    async with over(opener, tmp_path) as connection:
        await connection.enable(False)
        assert connection.state == "disabled"
        for attempt in (connection.reconnect(), connection.call("t", {}, unheard)):
            with pytest.raises(ServerError, match="switched off"):
                await attempt
        await connection.enable(True)
        assert connection.state == "connected"
        assert opener.tries == 2


async def test_one_that_is_elsewhere_is_tried_again_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_TRIES", (0.0, 0.0))
    monkeypatch.setattr(module, "AGAIN", (0.0,) * 5)
    opener = Opener(ServerError("one"), ServerError("two"))
    async with over(opener, tmp_path, elsewhere=True) as connection:
        while connection.state != "connected":
            await anyio.sleep(0.01)
        opener.links[0].ended.set()
        while len(opener.links) < 2:
            await anyio.sleep(0.01)
    assert opener.tries == 4


async def test_one_that_wants_a_sign_in_is_not_tried_again(tmp_path: Path) -> None:
    opener = Opener(ServerError("who?", needs_auth=True))
    async with over(opener, tmp_path, elsewhere=True) as connection:
        assert (connection.state, connection.error) == ("needs-auth", "who?")
        await anyio.wait_all_tasks_blocked()
    assert opener.tries == 1
