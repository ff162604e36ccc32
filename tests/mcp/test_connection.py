"""A connection over real streams: what one call, one death, one wish does to it, and what it doesn't."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.mcp.connection import Connection
from agent_tui.mcp.link import ServerError
from tests.mcp.stage import connected, inside, program, target, unheard
from tests.mcp.stub_server import make

pytestmark = pytest.mark.anyio


async def said(connection: Connection, tool: str, **args: Any) -> str:
    """Call a tool; give the text of its result."""
    result = await connection.call(tool, args, unheard)
    return str(result["content"][0]["text"])


async def test_a_server_is_connected_and_called(tmp_path: Path) -> None:
    for here in (target(program(), tmp_path), target(inside(), tmp_path, make())):
        async with connected(here) as connection:
            assert (connection.state, connection.error) == ("connected", "")
            assert (connection.listing.server_name, connection.listing.server_version) == (
                "stub",
                "1.2",
            )
            assert connection.listing.instructions == "Be gentle."
            assert await said(connection, "echo", a=1) == '{"a": 1}'


async def test_m4_a_slow_call_fails_alone(tmp_path: Path) -> None:
    for here in (
        target(program(timeout=300), tmp_path),
        target(inside(timeout=300), tmp_path, make()),
    ):
        async with connected(here) as connection:
            with anyio.fail_after(5):
                with pytest.raises(ServerError, match=r"longer than 0\.3 s"):
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
