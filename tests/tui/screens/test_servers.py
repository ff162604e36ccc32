from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.queries import Data, Failed, ServerControl, ServerStatus
from agent_tui.tui.screens.servers import NONE, ServersScreen
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Engine:
    """Two servers."""

    def __init__(self) -> None:
        tools = [{"name": f"tool_{n}"} for n in range(14)]
        info = {"name": "Fruit", "version": "2"}
        self.servers: dict[str, dict[str, Any]] = {
            "fruit": {"status": "connected", "scope": "user", "tools": tools, "serverInfo": info},
            "gone": {"status": "failed", "scope": "project", "error": "it ended\nat once"},
        }
        self.done: list[tuple[str, str]] = []

    def status(self, query: ServerStatus) -> Data:
        return Data({"mcpServers": [{"name": n, **s} for n, s in self.servers.items()]})

    def control(self, query: ServerControl) -> Data | Failed:
        self.done.append((query.name, query.action))
        if query.name == "gone" and query.action == "reconnect":
            return Failed("MCP server gone could not be connected: still gone.")
        self.servers[query.name]["status"] = (
            "disabled" if query.action == "disable" else "connected"
        )
        return Data({})

    @property
    def replies(self) -> dict[type[Any], Any]:
        return {ServerStatus: self.status, ServerControl: self.control}


async def opened(on: Stage) -> None:
    await on.type("/mcp")
    await on.press("enter")
    assert isinstance(on.app.screen, ServersScreen)


async def test_servers_are_listed_with_their_state_and_tools() -> None:
    async with running(replies=Engine().replies) as on:
        await opened(on)
        (fruit,) = [row for row in on.rows if "fruit" in row]
        assert fruit.startswith(" › fruit  connected   from user")
        assert fruit.endswith("14 tools")
        assert "Fruit 2" in on.text
        assert "tool_11, and 2 more" in on.text
        await on.press("down")
        assert "it ended at once" in on.text


async def test_enter_connects_anew_and_tab_switches() -> None:
    engine = Engine()
    async with running(replies=engine.replies) as on:
        await opened(on)
        await on.press("tab")
        assert any("fruit  disabled" in row for row in on.rows)
        await on.press("tab", "enter")
        assert [action for _, action in engine.done] == ["disable", "enable", "reconnect"]
        await on.press("down", "enter")
        assert engine.done[-1] == ("gone", "reconnect")
        assert "still gone" in on.text


async def test_none_are_said_so() -> None:
    async with running(replies={ServerStatus: Data({"mcpServers": []})}) as on:
        await opened(on)
        assert NONE in on.text
        await on.press("enter", "tab", "escape")
        assert not isinstance(on.app.screen, ServersScreen)
