"""Servers that a program brings, and those whose messages it carries."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server import MCPServer
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, jsonrpc_message_adapter

from agent_tui.mcp.link import ServerError
from agent_tui.mcp.tunnel import tunnel
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import LinkError
from tests.mcp.stage import connected, inside, target, unheard
from tests.mcp.stub_server import make

pytestmark = pytest.mark.anyio


class Host:
    """Carries messages to a server over memory streams, as a program does over its control channel."""

    def __init__(self) -> None:
        self.carried: list[str] = []
        self.broken = False
        self._replies: dict[Any, JsonObject] = {}
        self._came = anyio.Event()
        self._write: Any = None

    async def serve(self) -> None:
        server = make()
        async with (
            create_client_server_memory_streams() as ((read, self._write), (inward, outward)),
            anyio.create_task_group() as group,
        ):
            options = server.create_initialization_options()
            group.start_soon(server.run, inward, outward, options)
            async for item in read:
                assert isinstance(item, SessionMessage)
                raw = item.message.model_dump(by_alias=True, mode="json", exclude_none=True)
                self._replies[raw.get("id")] = raw
                came, self._came = self._came, anyio.Event()
                came.set()

    async def send(self, message: JsonObject) -> JsonObject | None:
        self.carried.append(str(message["method"]))
        if self.broken:
            raise LinkError("the program is gone")
        parsed = jsonrpc_message_adapter.validate_python(message, by_name=False)
        await self._write.send(SessionMessage(parsed))
        if not isinstance(parsed, JSONRPCRequest):
            return None
        while parsed.id not in self._replies:
            await self._came.wait()
        return self._replies.pop(parsed.id)


async def test_messages_go_through_a_tunnel(tmp_path: Path) -> None:
    host = Host()
    async with anyio.create_task_group() as group:
        group.start_soon(host.serve)
        await anyio.wait_all_tasks_blocked()
        way = target(inside(timeout=1000), tmp_path, tunnel(host.send))
        async with connected(way) as connection:
            assert connection.state == "connected", connection.error
            assert host.carried[:3] == ["initialize", "notifications/initialized", "tools/list"]
            result = await connection.call("echo", {"a": 1}, unheard)
            assert result["content"][0]["text"] == '{"a": 1}'
            async with anyio.create_task_group() as calls:  # one that hangs keeps no other waiting
                calls.start_soon(_in_vain, connection.call, "sleep")
                assert (await connection.call("ping", {}, unheard))["content"][0]["text"] == "pong"
            await anyio.wait_all_tasks_blocked()
            assert host.carried[-1] == "notifications/cancelled"
            host.broken = True
            with pytest.raises(ServerError, match="the program is gone"):
                await connection.call("ping", {}, unheard)
        group.cancel_scope.cancel()


async def _in_vain(call: Any, tool: str) -> None:
    with pytest.raises(ServerError, match="longer than"):
        await call(tool, {}, unheard)


async def test_a_reply_that_is_none_is_an_error(tmp_path: Path) -> None:
    async def send(message: JsonObject) -> JsonObject | None:
        return None

    async with connected(target(inside(), tmp_path, tunnel(send))) as connection:
        assert (connection.state, connection.error) == ("failed", "the reply is no message")


@pytest.mark.parametrize(
    "reply",
    [
        {"jsonrpc": "2.0", "id": "another", "result": {}},
        {"jsonrpc": "2.0", "method": "notifications/message"},
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
    ],
)
async def test_a_reply_to_something_else_keeps_nobody_waiting(
    tmp_path: Path, reply: JsonObject
) -> None:
    async def send(message: JsonObject) -> JsonObject | None:
        return reply

    async with connected(target(inside(), tmp_path, tunnel(send))) as connection:
        assert (connection.state, connection.error) == ("failed", "the reply is no message")


async def test_a_program_may_bring_a_transport(tmp_path: Path) -> None:
    @asynccontextmanager
    async def connect() -> AsyncGenerator[Any]:
        server = make()
        async with (
            create_client_server_memory_streams() as (outer, (read, write)),
            anyio.create_task_group() as group,
        ):
            group.start_soon(server.run, read, write, server.create_initialization_options())
            yield outer
            group.cancel_scope.cancel()

    async with connected(target(inside(), tmp_path, connect)) as connection:
        assert (await connection.call("ping", {}, unheard))["content"][0]["text"] == "pong"


async def test_a_server_of_the_packages_other_kind_is_taken_too(tmp_path: Path) -> None:
    server = MCPServer("easy")

    @server.tool()
    def double(n: int) -> int:
        """Double a number."""
        return 2 * n

    async with connected(target(inside(), tmp_path, server)) as connection:
        result = await connection.call("double", {"n": 21}, unheard)
        assert result["content"][0]["text"] == "42"
        wrong = await connection.call("double", {"n": "x"}, unheard)
        assert wrong["isError"] is True


async def test_what_is_no_server_is_said_to_be_none(tmp_path: Path) -> None:
    async with connected(target(inside(), tmp_path, 42)) as connection:
        assert connection.error == "the program gave a int, which is no server"
