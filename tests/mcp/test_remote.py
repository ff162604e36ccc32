"""A server over HTTP, and what its answers tell besides messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from agent_tui.mcp import connection as module
from agent_tui.mcp.link import ServerError
from tests.mcp.stage import connected, over_http, remote, target, unheard
from tests.mcp.web import Web

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    """Not on trio: there the package leaves its generators to the garbage collector, which warns."""
    return "asyncio"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_TRIES", ())
    monkeypatch.setattr(module, "AGAIN", ())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with over_http() as url:
        yield url


async def test_a_server_at_an_address_is_called(tmp_path: Path, address: str) -> None:
    async with connected(target(remote(address, timeout=2000), tmp_path)) as connection:
        assert connection.state == "connected", connection.error
        assert (await connection.call("ping", {}, unheard))["content"][0]["text"] == "pong"
        with pytest.raises(ServerError, match="longer than"):
            await connection.call("sleep", {}, unheard)
        big = await connection.call("big", {"size": 3_000_000}, unheard)
        assert len(big["content"][0]["text"]) == 3_000_000
        assert connection.state == "connected"


async def test_m4_a_server_that_has_gone_is_said_to_be_and_found_again(tmp_path: Path) -> None:
    with over_http() as url:
        async with connected(target(remote(url), tmp_path)) as connection:
            assert connection.state == "connected", connection.error
            with anyio.fail_after(20), pytest.raises(ServerError):
                await connection.call("die", {}, unheard)
            for why in ("ended during the call|can't be reached", "can't be reached"):
                with anyio.fail_after(20), pytest.raises(ServerError, match=why):
                    await connection.call("ping", {}, unheard)


async def test_one_that_wants_to_know_who_asks_needs_a_sign_in(tmp_path: Path) -> None:
    with Web(401) as web:
        here = target(remote(web.url, headers={"Authorization": "Bearer old"}), tmp_path)
        async with connected(here) as connection:
            assert connection.state == "needs-auth"
            assert "wants a sign-in (HTTP 401)" in connection.error
        assert web.headers[0]["authorization"] == "Bearer old"


async def test_the_older_transport_tells_it_too(tmp_path: Path) -> None:
    with Web(403) as web:
        here = target(remote(web.url, type="sse"), tmp_path)
        async with connected(here) as connection:
            assert connection.state == "needs-auth"
            assert "HTTP 403" in connection.error


async def test_nobody_at_the_address_is_a_failure(tmp_path: Path) -> None:
    async with connected(target(remote("http://127.0.0.1:1/mcp"), tmp_path)) as connection:
        assert connection.state == "failed"
        assert connection.error
