"""A server's tool as one of ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent_tui.machine.world import real_ports
from agent_tui.mcp.link import Offer, Progress, ServerError
from agent_tui.mcp.tools import Home, RemoteTool
from agent_tui.protocol.access import AskUser, CallMcp
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import ToolCall

pytestmark = pytest.mark.anyio

OFFER = Offer("do it", "Does it.", {"type": "object", "properties": {}})


class Server:
    """Answers calls; ``fault`` is raised instead."""

    def __init__(self, text: str = "done", fault: str = "") -> None:
        self.called: list[tuple[str, JsonObject]] = []
        self._text = text
        self._fault = fault

    async def __call__(self, tool: str, args: JsonObject, tell: Progress) -> JsonObject:
        self.called.append((tool, args))
        await tell("half way")
        if self._fault:
            raise ServerError(self._fault)
        return {"content": [{"type": "text", "text": self._text}]}


def tool(server: Server | None = None, offer: Offer = OFFER, **home: Any) -> RemoteTool:
    return RemoteTool("mcp__s__do_it", offer, Home("s", "s_label", server or Server(), **home))


def call(folder: Path, seen: list[Display] | None = None) -> ToolCall:
    async def progress(display: Display) -> None:
        (seen if seen is not None else []).append(display)

    told: Callable[[Display], Awaitable[None]] = progress
    ports = real_ports(Environment({}, folder), folder)
    return ToolCall("call-1", folder, ports, told, lambda _: True, folder / "spill")


def test_it_is_offered_as_the_server_describes_it() -> None:
    assert tool().schema() == {
        "name": "mcp__s__do_it",
        "description": "Does it.",
        "input_schema": {"type": "object", "properties": {}},
    }


def test_what_it_touches_is_the_server_and_it_runs_alone_unless_it_only_looks() -> None:
    here = Path("/")
    assert tool().access({}, here) == CallMcp("s_label", "do_it", read_only=False)
    assert not tool().read_only
    looks = tool(offer=replace(OFFER, read_only=True))
    assert looks.access({}, here) == CallMcp("s_label", "do_it", read_only=True)
    assert looks.read_only


def test_one_for_the_person_is_always_asked_about() -> None:
    asks = tool(offer=replace(OFFER, read_only=True, for_person=True))
    assert asks.access({}, Path("/")) == AskUser()
    assert not asks.read_only


def test_it_may_want_to_be_loaded_always() -> None:
    assert not tool().always_load
    assert tool(always_load=True).always_load
    assert tool(offer=replace(OFFER, always_load=True)).always_load


async def test_a_call_goes_to_the_server_under_the_tools_own_name(tmp_path: Path) -> None:
    server, seen = Server(), list[Display]()
    output = await tool(server).run({"a": 1}, call(tmp_path, seen))
    assert server.called == [("do it", {"a": 1})]
    assert output.content == [{"type": "text", "text": "done"}]
    assert output.is_error is None
    assert seen == [TextDisplay("s: do it", "half way")]
    assert (await tool(server).ask({}))["content"][0]["text"] == "done"


async def test_a_fault_is_an_error_for_the_model(tmp_path: Path) -> None:
    output = await tool(Server(fault="gone")).run({}, call(tmp_path))
    assert (output.content, output.is_error) == ("s do it: gone", True)
    assert output.structured == "Error: s do it: gone"


async def test_a_long_result_goes_to_a_file_unless_the_tool_asks_for_more(tmp_path: Path) -> None:
    long = Server("x" * 200_000)
    output = await tool(long).run({}, call(tmp_path))
    assert isinstance(output.content, list)
    assert len(output.content[0]["text"]) < 5_000
    assert (tmp_path / "spill" / "call-1.txt").stat().st_size == 200_000
    more = tool(long, replace(OFFER, max_chars=300_000))
    output = await more.run({}, call(tmp_path))
    assert isinstance(output.content, list)
    assert len(output.content[0]["text"]) == 200_000


async def test_the_person_sees_the_input(tmp_path: Path) -> None:
    shown = await tool().proposal({"a": "ä"}, call(tmp_path))
    assert shown == TextDisplay("s: do it", '{\n "a": "ä"\n}')
    assert tool().preview({}, tmp_path) == TextDisplay("s: do it", "")
