"""References to deferred tools."""

from __future__ import annotations

import copy

from agent_tui.context.references import without_dangling
from agent_tui.context.request import build_request
from agent_tui.journal.fold import fold
from agent_tui.protocol.content import JsonObject
from tests.context.wire import complaints
from tests.journal.story import MODEL, Story, call

LOOK: JsonObject = {"name": "Look", "input_schema": {"type": "object"}}
DEFERRED: JsonObject = {
    "name": "mcp__a__b",
    "input_schema": {"type": "object"},
    "defer_loading": True,
}


def reference(name: str) -> JsonObject:
    return {"type": "tool_reference", "tool_name": name}


def result(*parts: JsonObject) -> JsonObject:
    return {"type": "tool_result", "tool_use_id": "t", "content": list(parts)}


def test_a_reference_to_a_tool_that_is_not_there_becomes_text() -> None:
    messages: list[JsonObject] = [
        {"role": "user", "content": [result(reference("mcp__a__b"), reference("gone"))]},
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
    ]
    before = copy.deepcopy(messages)
    found = without_dangling(messages, (LOOK, DEFERRED))
    assert messages == before
    kept, text = found[0]["content"][0]["content"]
    assert kept == reference("mcp__a__b")
    assert text["type"] == "text" and "gone" in text["text"]
    assert found[1] is messages[1]


def test_without_anything_to_change_the_messages_are_the_same() -> None:
    messages: list[JsonObject] = [
        {"role": "user", "content": [result(reference("mcp__a__b"))]},
    ]
    (same,) = without_dangling(messages, (DEFERRED,))
    assert same is messages[0]


def test_a_tool_that_is_told_in_full_is_no_longer_referred_to() -> None:
    told = {name: value for name, value in DEFERRED.items() if name != "defer_loading"}
    messages: list[JsonObject] = [
        {"role": "user", "content": [result(reference("mcp__a__b"))]},
    ]
    (one,) = without_dangling(messages, (told,))
    assert one["content"][0]["content"][0]["type"] == "text"


def test_the_api_takes_the_request_whether_the_tool_is_there_or_not() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("t1", "ToolSearch", query="select:mcp__a__b"))
    story.result("t1", [reference("mcp__a__b")])
    conversation = fold(story.entries)
    for tools, kind in (((LOOK, DEFERRED), "tool_reference"), ((LOOK,), "text")):
        request = build_request(conversation, ("You are.",), tools, MODEL, 1000)
        assert complaints(request) == []
        assert request.messages[-1]["content"][0]["content"][0]["type"] == kind
