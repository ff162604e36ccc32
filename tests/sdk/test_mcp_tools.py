from __future__ import annotations

from typing import Any

import mcp_types
import pytest
from mcp.client.client import Client

from agent_tui.sdk import SdkMcpTool, ToolAnnotations, create_sdk_mcp_server, tool
from agent_tui.sdk.mcp_tools import SIZE_KEY

pytestmark = pytest.mark.anyio


@tool("add", "Add two numbers", {"a": float, "b": float}, ToolAnnotations(readOnlyHint=True))
async def add(args: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": str(args["a"] + args["b"])}]}


@tool("fails", "Fail", {})
async def fails(args: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": "no"}], "is_error": True}


@tool("breaks", "Break", {})
async def breaks(args: dict[str, Any]) -> dict[str, Any]:
    raise LookupError("lost it")


@tool("odd", "Give nothing of use", {})
async def odd(args: dict[str, Any]) -> Any:
    return {"content": [{"type": "no such"}]}


@tool("shown", "Give a picture and data", {}, ToolAnnotations(max_result_size_chars=500_000))
async def shown(args: dict[str, Any]) -> dict[str, Any]:
    picture = {"type": "image", "data": "QQ==", "mimeType": "image/png"}
    return {"content": [picture], "structuredContent": {"n": 1}}


SERVER = create_sdk_mcp_server("calc", "2.0.0", [add, fails, breaks, odd, shown])


async def called(name: str, arguments: dict[str, Any]) -> mcp_types.CallToolResult:
    async with Client(SERVER["instance"]) as client:
        return await client.call_tool(name, arguments)


def text_of(result: mcp_types.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, mcp_types.TextContent)
    return block.text


def test_a_decorated_function_is_a_tool() -> None:
    assert isinstance(add, SdkMcpTool)
    assert (add.name, add.description, add.input_schema) == (
        "add",
        "Add two numbers",
        {"a": float, "b": float},
    )


def test_a_server_is_a_configuration() -> None:
    assert (SERVER["type"], SERVER["name"]) == ("sdk", "calc")
    assert create_sdk_mcp_server("empty")["instance"].version == "1.0.0"


async def test_its_tools_are_listed_with_what_they_say_of_themselves() -> None:
    async with Client(SERVER["instance"]) as client:
        found = {one.name: one for one in (await client.list_tools()).tools}
    assert list(found) == ["add", "fails", "breaks", "odd", "shown"]
    assert found["add"].input_schema["required"] == ["a", "b"]
    assert found["add"].annotations is not None
    assert found["add"].annotations.read_only_hint
    assert (found["shown"].meta or {})[SIZE_KEY] == 500_000


async def test_a_call_gives_what_the_function_gives() -> None:
    result = await called("add", {"a": 1, "b": 2.5})
    assert (text_of(result), result.is_error) == ("3.5", False)
    shown = await called("shown", {})
    assert isinstance(shown.content[0], mcp_types.ImageContent)
    assert shown.structured_content == {"n": 1}


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("fails", {}, "no"),
        ("breaks", {}, "LookupError: lost it"),
        ("odd", {}, "no result"),
        ("add", {"a": "one", "b": 2}, "at a"),
        ("add", {"a": 1}, "'b' is a required property"),
        ("nothing", {}, "nothing"),
    ],
)
async def test_what_goes_wrong_is_a_result_that_says_so(
    name: str, arguments: dict[str, Any], said: str
) -> None:
    result = await called(name, arguments)
    assert result.is_error
    assert said in text_of(result)


def test_hints_are_taken_in_either_spelling() -> None:
    one = ToolAnnotations(readOnlyHint=True, maxResultSizeChars=5)
    two = ToolAnnotations(read_only_hint=True, max_result_size_chars=5)
    assert one == two
    assert one.read_only_hint
