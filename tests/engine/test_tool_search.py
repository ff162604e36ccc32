"""Deferred tools in whole sessions: what requests hold, and that the cache stays whole."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import mcp_types as types
import pytest
from mcp.server import Server

from agent_tui.engine.extras import Extras
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt, SetModel
from agent_tui.settings.options import ModelOptions, ToolOptions
from tests.engine.sessions import Answers, Place, Talk, refused, texts_of, whole_prefix
from tests.fakes.api_server import ApiRequest, reply, tool

pytestmark = pytest.mark.anyio

ADD, SUB = "mcp__sums__add", "mcp__sums__sub"
SEARCH = reply(tool("ToolSearch", query=f"select:{SUB}"))


def sums() -> Server[Any]:
    """A server with two tools."""
    schema = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
    tools = [
        types.Tool(name=name, description=f"{name}s one", input_schema=schema)
        for name in ("add", "sub")
    ]

    async def listed(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def called(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        number = (params.arguments or {})["n"] + (1 if params.name == "add" else -1)
        return types.CallToolResult(content=[types.TextContent(type="text", text=str(number))])

    return Server("sums", on_list_tools=listed, on_call_tool=called)


@pytest.fixture
def searching(place: Place) -> Place:
    """A place where tools are deferred, although the server is not the vendor's."""
    place.variables = {"ENABLE_TOOL_SEARCH": "true"}
    return place


async def talk(place: Place, *prompts: str, model: str | None = None) -> Talk:
    """Open a session with the server, send the prompts; with ``model``, change to it before the last."""
    heard = Talk()

    async def body(opened: OpenSession) -> None:
        heard.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            for number, text in enumerate(prompts):
                if model is not None and number == len(prompts) - 1:
                    opened.session.send(SetModel(model))
                opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                async for message in messages:
                    heard.heard.append(message)
                    if isinstance(message, ResultMessage):
                        break

    extras = Extras(approver=Answers(), servers={"sums": sums()})
    await with_session(place.options, place.env, body, extras=extras)
    return heard


def messages_of(request: ApiRequest) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", (request.body or {})["messages"])


def tools_of(request: ApiRequest) -> list[tuple[str, bool]]:
    """Name and whether deferred, of the server's tools and the search."""
    found = cast("list[dict[str, Any]]", (request.body or {})["tools"])
    return [
        (str(one["name"]), bool(one.get("defer_loading")))
        for one in found
        if str(one["name"]).startswith("mcp__") or one["name"] == "ToolSearch"
    ]


def require_whole_cache(place: Place) -> None:
    """Check that every request read all that the one before had written or read."""
    for before, after in pairwise(place.api.messages):
        assert after.usage is not None
        assert after.usage["cache_read_input_tokens"] == whole_prefix(before) > 0
        assert after.usage["input_tokens"] == 0


async def test_names_are_told_once_and_a_found_tool_enters_the_next_request(
    searching: Place,
) -> None:
    searching.api.enqueue(SEARCH, reply(tool(SUB, n=4)), "three", "again")
    heard = await talk(searching, "go", "more")
    first, second, third, last = searching.api.messages
    assert tools_of(first) == [("ToolSearch", False)]
    assert tools_of(second) == tools_of(third) == tools_of(last)
    assert tools_of(last) == [("ToolSearch", False), (SUB, True)]
    told = "\n".join(texts_of(messages_of(last)[0]))
    assert told.count(f"\n{ADD}\n{SUB}\n") == 1
    search, sub = heard.tool_results
    assert search.content == [{"type": "tool_reference", "tool_name": SUB}]
    assert search.is_error is None
    assert sub.content == [{"type": "text", "text": "3"}]
    said = messages_of(second)[-1]["content"]
    assert [block["type"] for block in said] == ["tool_result", "text"]
    require_whole_cache(searching)


async def test_a_resumed_session_keeps_what_was_taken_and_its_cache(searching: Place) -> None:
    searching.api.enqueue(SEARCH, "found", "resumed")
    first = await talk(searching, "go")
    await talk(searching.resuming(first.session_id), "and?")
    assert tools_of(searching.api.messages[-1]) == [("ToolSearch", False), (SUB, True)]
    require_whole_cache(searching)


async def test_a_call_of_a_tool_that_was_never_shown_works_the_second_time(
    searching: Place,
) -> None:
    searching.api.enqueue(reply(tool(ADD, n=1)), reply(tool(ADD, n=1)), "two")
    heard = await talk(searching, "go")
    guess, retry = heard.tool_results
    assert guess.is_error and f"select:{ADD}" in str(guess.content)
    assert retry.content == [{"type": "text", "text": "2"}]
    assert tools_of(searching.api.messages[1])[-1] == (ADD, True)
    require_whole_cache(searching)


async def test_a_model_that_cannot_search_gets_every_definition_and_no_reference(
    searching: Place,
) -> None:
    searching.api.enqueue(SEARCH, "found", "small")
    await talk(searching, "go", "and now?", model="claude-haiku-4-5")
    last = searching.api.messages[-1]
    assert tools_of(last) == [("ToolSearch", False), (ADD, False), (SUB, False)]
    assert "tool_reference" not in str(messages_of(last))
    assert not refused(searching.api)


async def test_a_reference_to_a_tool_that_is_gone_does_not_lock_the_session(
    searching: Place,
) -> None:
    searching.api.enqueue(SEARCH, "found", "resumed")
    first = await talk(searching, "go")
    await searching.resuming(first.session_id).talk("and?")
    assert "tool_reference" not in str(messages_of(searching.api.messages[-1]))
    assert not refused(searching.api)


@pytest.mark.parametrize("word", [None, "auto", "false"])
async def test_behind_a_foreign_address_everything_is_sent_in_full(
    place: Place, word: str | None
) -> None:
    place.variables = {} if word is None else {"ENABLE_TOOL_SEARCH": word}
    place.api.enqueue(reply(tool(ADD, n=1)), "two")
    heard = await talk(place, "go")
    assert tools_of(place.api.messages[0]) == [(ADD, False), (SUB, False)]
    assert heard.tool_results[0].content == [{"type": "text", "text": "2"}]


async def test_init_lists_deferred_tools_too(searching: Place) -> None:
    searching.api.enqueue("ok")
    heard = await talk(searching, "go")
    listed = heard.system("init")[0].data["tools"]
    assert {"ToolSearch", ADD, SUB} <= set(listed)


async def test_a_chosen_set_without_the_search_defers_nothing(searching: Place) -> None:
    searching.options = replace(searching.options, tools=ToolOptions(base=("Read",)))
    searching.api.enqueue("ok")
    await talk(searching, "go")
    found = cast("list[dict[str, Any]]", (searching.api.messages[0].body or {})["tools"])
    assert [one["name"] for one in found] == ["Read", ADD, SUB]


async def test_on_a_model_nobody_knows_the_persons_word_counts(searching: Place) -> None:
    searching.options = replace(searching.options, model=ModelOptions(model="claude-opus-4-8"))
    searching.api.enqueue("ok")
    await talk(searching, "go")
    assert tools_of(searching.api.messages[0]) == [("ToolSearch", False)]
