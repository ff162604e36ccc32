"""Lines as messages."""

from __future__ import annotations

from typing import Any

from agent_tui.context.messages import GO_ON, MAX_IMAGES, NO_BEGINNING, api_messages
from agent_tui.journal.entries import NOT_COMPLETED
from agent_tui.journal.lines import Line
from agent_tui.protocol.content import JsonObject
from tests.context.journals import PNG
from tests.journal.story import MODEL, Story, call, text

PICTURE: JsonObject = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": PNG},
}


def shape(messages: list[JsonObject]) -> list[tuple[str, list[str]]]:
    return [(m["role"], [b.get("text") or b["type"] for b in m["content"]]) for m in messages]


def test_what_is_said_in_a_row_is_one_message() -> None:
    story = Story()
    story.context("here")
    story.prompt("one")
    story.prompt("two")
    story.answer("m1", text("a"), text("b"))
    story.answer("m2", text("c"))
    story.prompt("three")
    assert shape(api_messages(story.conversation.lines, MODEL)) == [
        ("user", ["here", "one", "two"]),
        ("assistant", ["a", "b", "c"]),
        ("user", ["three"]),
    ]


def test_the_person_has_the_first_and_the_last_word() -> None:
    assert shape(api_messages([], MODEL)) == [("user", [NO_BEGINNING])]
    story = Story()
    story.answer("m1", text("hello?"))
    assert shape(api_messages(story.conversation.lines, MODEL)) == [
        ("user", [NO_BEGINNING]),
        ("assistant", ["hello?"]),
        ("user", [GO_ON]),
    ]
    asked = api_messages(story.conversation.lines, MODEL, ask="Sum up.")
    assert shape(asked)[-1] == ("user", ["Sum up."])


def test_an_answer_without_results_before_the_next_answer_is_answered_between() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("a"))
    story.answer("m2", text("on I go"))
    story.prompt("well")
    messages = api_messages(story.conversation.lines, MODEL)
    assert shape(messages)[1:3] == [("assistant", ["tool_use"]), ("user", ["tool_result"])]
    assert messages[2]["content"][0]["content"] == NOT_COMPLETED


def test_lines_of_one_response_belong_together_even_with_results_between() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("a"), ends=False)
    story.result("a")
    story.answer("m1", call("b"))
    story.result("b")
    messages = api_messages(story.conversation.lines, MODEL)
    assert shape(messages)[1:] == [
        ("assistant", ["tool_use", "tool_use"]),
        ("user", ["tool_result", "tool_result"]),
    ]


def test_what_a_server_tool_did_goes_back_as_a_pair_or_not_at_all() -> None:
    use: JsonObject = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
    got: JsonObject = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    story = Story()
    story.prompt("go")
    story.answer("m1", use, got, text("found"))
    story.prompt("again")
    story.answer("m2", {**use, "id": "s2"}, text("cut"))
    story.prompt("again")
    assert shape(api_messages(story.conversation.lines, MODEL))[1::2] == [
        ("assistant", ["server_tool_use", "web_search_tool_result", "found"]),
        ("assistant", ["cut"]),
    ]


def test_an_answer_paused_among_the_servers_tools_goes_back_as_it_is() -> None:
    use: JsonObject = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
    got: JsonObject = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    story = Story()
    story.prompt("go")
    story.answer("m1", text("Searching."), use)
    assert shape(api_messages(story.conversation.lines, MODEL))[1:] == [
        ("assistant", ["Searching.", "server_tool_use"])
    ]
    story.answer("m2", got, text("Found."))
    assert shape(api_messages(story.conversation.lines, MODEL))[1] == (
        "assistant",
        ["Searching.", "server_tool_use", "web_search_tool_result", "Found."],
    )


def test_a_servers_call_stays_open_beside_our_results_and_closes_in_the_next_answer() -> None:
    use: JsonObject = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
    got: JsonObject = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    story = Story()
    story.prompt("go")
    story.answer("m1", use, call("a"))
    story.result("a")
    sent = shape(api_messages(story.conversation.lines, MODEL))
    assert sent[1] == ("assistant", ["server_tool_use", "tool_use"])
    story.answer("m2", got, text("Found."))
    later = shape(api_messages(story.conversation.lines, MODEL))
    assert later[1] == sent[1]
    assert later[3] == ("assistant", ["web_search_tool_result", "Found."])


def pictures(messages: list[JsonObject]) -> list[Any]:
    inner = [
        part
        for m in messages
        for b in m["content"]
        for part in (b["content"] if isinstance(b.get("content"), list) else [b])
    ]
    return [part["type"] for part in inner if part["type"] in ("image", "text")]


def test_p5_too_many_pictures_lose_the_oldest_and_not_one_by_one() -> None:
    def after(count: int) -> list[Any]:
        blocks = tuple(dict(PICTURE) for _ in range(count))
        result: JsonObject = {"type": "tool_result", "tool_use_id": "a", "content": list(blocks)}
        lines = [
            Line("assistant", "u1", (call("a"),), 1, "m1"),
            Line("user", "u2", (result, dict(PICTURE))),
        ]
        return pictures(api_messages(lines, MODEL)[1:])

    assert after(MAX_IMAGES - 1).count("image") == MAX_IMAGES
    for count in (MAX_IMAGES, MAX_IMAGES + 30, MAX_IMAGES + 49):
        kept = after(count)
        assert kept.count("image") == count + 1 - 50
        assert kept[:50] == ["text"] * 50
        assert kept[-1] == "image"
    assert after(MAX_IMAGES + 50).count("image") == MAX_IMAGES + 51 - 100
