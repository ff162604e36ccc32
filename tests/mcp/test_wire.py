"""What a server says of itself and its tools, read with care; calls over the package."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.server import Server

from agent_tui.mcp.link import Link, Listing, Offer, ServerError
from agent_tui.mcp.wire import MAX_TEXT, cut, open_link
from tests.mcp.stage import connected, inside, program, target, unheard
from tests.mcp.stub_server import make

pytestmark = pytest.mark.anyio

ODD = """
import json, sys
PAGES = {None: (json.loads(%r), "2"), "2": (json.loads(%r), None)}
for line in sys.stdin:
    said = json.loads(line)
    if said["method"] == "initialize":
        result = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "odd", "version": "0"},
            "instructions": "i" * 5000,
        }
    elif said["method"] == "tools/list":
        tools, cursor = PAGES[said.get("params", {}).get("cursor")]
        result = {"tools": tools, **({"nextCursor": cursor} if cursor else {})}
    elif said["method"] == "tools/call":
        result = {"content": "no list"}
        if said["params"]["name"] == "deep":
            deep = {}
            for _ in range(400):
                deep = {"x": deep}
            result = {"content": [], "structuredContent": deep}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": said["id"], "result": result}), flush=True)
"""
ANY: dict[str, Any] = {"type": "object", "properties": {}}


async def odd(folder: Path, *tools: dict[str, Any]) -> Listing:
    """Give the listing of a server that offers these tools, the first on a page of its own."""
    code = ODD % (json.dumps(tools[:1]), json.dumps(tools[1:]))
    async with connected(target(program(args=["-c", code]), folder)) as connection:
        assert connection.state == "connected", connection.error
        return connection.listing


async def test_tools_of_all_pages_are_read_in_one_order(tmp_path: Path) -> None:
    listing = await odd(tmp_path, *({"name": name, "inputSchema": ANY} for name in "cab"))
    assert [offer.name for offer in listing.offers] == ["a", "b", "c"]
    assert listing.server_name == "odd"
    assert len(listing.instructions) == MAX_TEXT


async def test_p7_a_tool_that_the_api_would_refuse_is_left_out_alone(tmp_path: Path) -> None:
    deep: dict[str, Any] = {}
    for _ in range(300):
        deep = {"not": deep}
    listing = await odd(
        tmp_path,
        {"name": "fine", "inputSchema": {"anyOf": [{"properties": {"a": {}}}]}},
        {"name": "no_schema"},
        {"name": "text", "inputSchema": {"type": "string"}},
        {"name": "key", "inputSchema": {"properties": {"a b": {}}}},
        {"name": "broken", "inputSchema": {"properties": {"a": {"type": "strange"}}}},
        {"inputSchema": ANY},
        {"name": "endless", "inputSchema": {"properties": {"a": {"maximum": 1e999}}}},
        {"name": "deep", "inputSchema": {"properties": {"a": deep}}},
    )
    assert [offer.name for offer in listing.offers] == ["fine", "no_schema"]
    assert listing.offers[0].schema == {"type": "object", "properties": {"a": {}}}
    assert [text.partition(" is left out")[0] for text in listing.skipped] == [
        "the tool text",
        "the tool key",
        "the tool broken",
        "a tool without a name",
        "the tool endless",
        "the tool deep",
    ]


async def test_what_is_no_tool_at_all_is_left_out_alone(tmp_path: Path) -> None:
    nothing: Any = "tool"
    listing = await odd(tmp_path, {"name": "a", "inputSchema": ANY}, nothing)
    assert [offer.name for offer in listing.offers] == ["a"]
    assert len(listing.skipped) == 1


async def test_what_is_said_of_a_tool_is_read(tmp_path: Path) -> None:
    listing = await odd(
        tmp_path,
        {
            "name": "a",
            "description": "d" * 3_000,
            "inputSchema": ANY,
            "annotations": {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": 1},
            "_meta": {
                "anthropic/requiresUserInteraction": True,
                "anthropic/alwaysLoad": True,
                "anthropic/maxResultSizeChars": 900_000,
            },
        },
    )
    offer = listing.offers[0]
    assert len(offer.description) == MAX_TEXT
    assert offer == Offer(
        "a",
        offer.description,
        ANY,
        read_only=True,
        destructive=False,
        open_world=None,
        for_person=True,
        always_load=True,
        max_chars=500_000,
    )


async def test_a_result_that_is_none_is_a_fault_of_the_call_alone(tmp_path: Path) -> None:
    code = ODD % ("[]", "[]")
    async with connected(target(program(args=["-c", code]), tmp_path)) as connection:
        for name in ("a", "deep", "a"):
            with pytest.raises(ServerError, match="a result that is none"):
                await connection.call(name, {}, unheard)
        assert connection.state == "connected"


async def test_how_far_a_call_is_is_told(tmp_path: Path) -> None:
    heard: list[str] = []

    async def tell(text: str) -> None:
        heard.append(text)

    for here in (
        target(program(env={"STUB_TOOLS": '["steps"]'}), tmp_path),
        target(inside(), tmp_path, make(("steps",))),
    ):
        async with connected(here) as connection:
            result = await connection.call("steps", {}, tell)
            assert result["content"][0]["text"] == "all the way"
            assert heard.pop() == "half way"


async def test_a_server_may_ask_for_our_folders(tmp_path: Path) -> None:
    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name="where", input_schema=ANY)])

    async def call(ctx: Any, params: Any) -> types.CallToolResult:
        roots = await ctx.session.list_roots()
        text = str(roots.roots[0].uri)
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    server = Server("asking", on_list_tools=list_tools, on_call_tool=call)
    with pytest.warns(UserWarning, match="roots"):
        async with connected(target(inside(), tmp_path, server)) as connection:
            result = await connection.call("where", {}, unheard)
    assert result["content"][0]["text"] == tmp_path.as_uri()


async def test_a_server_without_tools_is_connected_all_the_same(tmp_path: Path) -> None:
    async with connected(target(inside(), tmp_path, Server("bare"))) as connection:
        assert (connection.state, connection.listing.offers) == ("connected", ())
        with pytest.raises(ServerError, match="not found"):
            await connection.call("any", {}, unheard)


async def test_a_changed_list_is_news_and_the_end_is_too(tmp_path: Path) -> None:
    async def stay(link: Link) -> None:
        await link.call("grow", {}, unheard)
        assert await link.news()
        assert "grown" in [offer.name for offer in (await link.listing()).offers]
        assert link.alive
        with pytest.raises(ServerError, match="ended"):
            await link.call("die", {}, unheard)
        assert not await link.news()
        assert not link.alive
        stayed.append(True)

    stayed: list[bool] = []
    with anyio.fail_after(20):
        await open_link(target(program(env={"STUB_TOOLS": '["grow"]'}), tmp_path), stay)
    assert stayed


async def test_what_breaks_inside_is_a_servers_fault(tmp_path: Path) -> None:
    async def stay(link: Link) -> None:
        raise KeyError("oops")

    with pytest.raises(ServerError, match="oops"):
        await open_link(target(program(), tmp_path), stay)
    with pytest.raises(ServerError, match="oops"):
        await open_link(target(inside(), tmp_path, make()), stay)


async def test_a_cancelled_connection_is_no_fault(tmp_path: Path) -> None:
    async def stay(link: Link) -> None:
        scope.cancel()
        await anyio.sleep_forever()

    with anyio.CancelScope() as scope:
        await open_link(target(program(), tmp_path), stay)
    assert scope.cancelled_caught


def test_the_packages_log_never_reaches_a_terminal_by_itself() -> None:
    for name in ("mcp", "client"):
        handlers = logging.getLogger(name).handlers
        assert any(isinstance(handler, logging.NullHandler) for handler in handlers)


def test_long_texts_are_cut() -> None:
    assert cut("short") == "short"
    assert len(cut("x" * 10_000)) == MAX_TEXT
