"""Permission requests answered by a server's tool."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import mcp_types as types
import pytest
from mcp.server import Server

from agent_tui.engine.extras import Extras
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.engine.prompt_tool import PromptTool, decider
from agent_tui.loop.approvals import DenyAll
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.settings.options import PermissionOptions
from agent_tui.tools.base import ToolSet
from tests.engine.sessions import Place, Talk
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio

NAME = "mcp__guard__decide"


class Guard:
    """A server whose tool answers with ``text`` and remembers what it was asked."""

    def __init__(self, text: str, *, is_error: bool = False) -> None:
        self.asked: list[dict[str, Any]] = []
        self._text = text
        self._is_error = is_error
        self.server = Server("guard", on_list_tools=self._list, on_call_tool=self._call)

    async def _list(self, ctx: Any, params: Any) -> types.ListToolsResult:
        one = types.Tool(name="decide", description="Decides.", input_schema={"type": "object"})
        return types.ListToolsResult(tools=[one])

    async def _call(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        self.asked.append(params.arguments or {})
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=self._text)]
        return types.CallToolResult(content=content, is_error=self._is_error)


async def write(place: Place, guard: Guard) -> Talk:
    """Have the model write a file, with the guard deciding."""
    talk = Talk()
    place.api.enqueue(reply(tool("Write", file_path=str(place.project / "a"), content="x")), "done")

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", "00000000-0000-4000-8000-000000000000"))
            async for message in messages:
                talk.heard.append(message)
                if isinstance(message, ResultMessage):
                    break

    permissions = PermissionOptions(prompt_tool=NAME)
    options = replace(place.options, interactive=False, permissions=permissions)
    extras = Extras(servers={"guard": guard.server})
    await with_session(options, place.env, body, extras=extras)
    return talk


async def test_it_is_asked_and_allows_with_changed_input(place: Place) -> None:
    changed = {"file_path": str(place.project / "a"), "content": "y"}
    guard = Guard(json.dumps({"behavior": "allow", "updatedInput": changed}))
    talk = await write(place, guard)
    assert (place.project / "a").read_text() == "y"
    assert talk.tool_results[0].is_error is None
    asked = guard.asked[0]
    assert (asked["tool_name"], asked["input"]["content"]) == ("Write", "x")
    assert asked["tool_use_id"] == talk.calls[0].id


async def test_it_denies_with_its_own_words(place: Place) -> None:
    talk = await write(place, Guard('{"behavior": "deny", "message": "not on Sundays"}'))
    assert talk.tool_results[0].content == "not on Sundays"
    assert not (place.project / "a").exists()
    assert [d["tool_name"] for d in talk.result.permission_denials] == ["Write"]


@pytest.mark.parametrize(
    "text",
    ["yes", "[]", "{}", '{"behavior": "ask"}', '{"behavior": "allow", "updatedInput": 1}'],
)
async def test_what_is_no_clear_answer_is_no_consent(place: Place, text: str) -> None:
    talk = await write(place, Guard(text))
    assert talk.tool_results[0].is_error is True
    assert NAME in str(talk.tool_results[0].content)
    assert not (place.project / "a").exists()


async def test_one_that_fails_is_no_consent(place: Place) -> None:
    talk = await write(place, Guard('{"behavior": "allow"}', is_error=True))
    assert talk.tool_results[0].is_error is True
    assert not (place.project / "a").exists()


def test_it_and_a_callback_exclude_each_other() -> None:
    tools = ToolSet()
    callback = DenyAll()
    assert decider(None, tools, callback) is callback
    assert decider("stdio", tools, callback) is callback
    assert isinstance(decider(NAME, tools, None), PromptTool)
    with pytest.raises(UsageError, match="choose one"):
        decider(NAME, tools, callback)
