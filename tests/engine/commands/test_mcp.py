from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.settings.options import ToolOptions
from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_none_are_said_so_and_a_wrong_word_is_an_error(place: Place) -> None:
    talk = await place.talk("/mcp", "/mcp restart x", "/mcp reconnect x")
    assert said(talk, 0).startswith("There are no MCP servers.")
    assert said(talk, 1).startswith("Usage: /mcp")
    assert said(talk, 2) == "There is no MCP server named 'x'."
    assert [result.is_error for result in talk.results] == [False, True, True]


async def test_servers_are_listed_and_switched_off(place: Place) -> None:
    tools = ToolOptions(servers={"gone": {"command": "/no/such/program"}})
    place = replace(place, options=replace(place.options, tools=tools))
    talk = await place.talk("/mcp", "/mcp disable gone")
    assert said(talk, 0).startswith("gone: ")
    assert said(talk, 1).startswith("gone: disabled")
