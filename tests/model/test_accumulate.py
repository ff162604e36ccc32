from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.model.accumulate import Accumulator, read_event
from agent_tui.model.client import BlockDone
from agent_tui.model.sse import SseEvent
from agent_tui.protocol.content import (
    RedactedThinkingBlock,
    ServerToolResultBlock,
    ServerToolUseBlock,
    TextBlock,
    ThinkingBlock,
    ToolUseBlock,
    UnknownBlock,
)
from agent_tui.protocol.usage import Usage

Event = dict[str, Any]
START: Event = {
    "type": "message_start",
    "message": {"id": "msg_1", "model": "m", "content": [], "usage": {"input_tokens": 5}},
}
STOP: Event = {"type": "message_stop"}


def block(index: int, start: Event, *deltas: Event) -> list[Event]:
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def text(*parts: str) -> list[Event]:
    return block(
        0, {"type": "text", "text": ""}, *({"type": "text_delta", "text": part} for part in parts)
    )


def call(*parts: str, start: Event | None = None) -> list[Event]:
    return block(
        0,
        {"type": "tool_use", "id": "t1", "name": "Read", "input": start or {}},
        *({"type": "input_json_delta", "partial_json": part} for part in parts),
    )


def end(reason: str | None = "end_turn", **usage: Any) -> Event:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def fold(*events: Event) -> tuple[Accumulator, list[BlockDone]]:
    message = Accumulator()
    return message, [done for event in events for done in message.apply(event)]


def test_text_grows_and_is_told_when_it_stops() -> None:
    message, done = fold(START, *text("Hel", "lo"), end(output_tokens=7), STOP)
    assert done == [BlockDone(0, TextBlock("Hello"))]
    response = message.response(duration_ms=3, request_id="req")
    assert (response.message_id, response.model, response.stop_reason) == ("msg_1", "m", "end_turn")
    assert response.usage == Usage(5, 7)
    assert [one.block for one in response.blocks] == [TextBlock("Hello")]
    assert (response.duration_ms, response.request_id, response.cut) == (3, "req", None)


def test_only_message_stop_ends_a_message() -> None:
    message, _ = fold(START, *text("Hello"), end())
    assert not message.ended
    message.apply(STOP)
    assert message.ended


def test_thinking_keeps_its_signature_and_hidden_thinking_its_data() -> None:
    thought = block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "hm"},
        {"type": "signature_delta", "signature": "c2ln"},
    )
    hidden = block(1, {"type": "redacted_thinking", "data": "xyz"})
    omitted = block(
        2,
        {"type": "thinking", "thinking": None, "signature": None},
        {"type": "signature_delta", "signature": "b"},
    )
    _, done = fold(START, *thought, *hidden, *omitted)
    assert [one.block for one in done] == [
        ThinkingBlock("hm", "c2ln"),
        RedactedThinkingBlock("xyz"),
        ThinkingBlock("", "b"),
    ]


@pytest.mark.parametrize(
    ("parts", "input_"),
    [
        ((), {}),
        (("",), {}),
        (("", " "), {}),
        (('{"file_pa', 'th": "a"}'), {"file_path": "a"}),
        (('{"x": "\\ud83d\\ude00"}',), {"x": "😀"}),
        (('{"x": "\\ud83d"}',), {"x": "\ufffd"}),
        (('{"x": "\ud83d', '\ude00"}'), {"x": "😀"}),
    ],
)
def test_tool_input_is_parsed_when_the_block_ends(
    parts: tuple[str, ...], input_: dict[str, Any]
) -> None:
    _, done = fold(START, *call(*parts))
    assert done == [BlockDone(0, ToolUseBlock("t1", "Read", input_))]


def test_tool_input_given_whole_at_the_start_counts() -> None:
    _, done = fold(START, *call(start={"file_path": "a"}))
    assert done[0].block == ToolUseBlock("t1", "Read", {"file_path": "a"})


@pytest.mark.parametrize(
    "raw",
    [
        '{"file_path": "a.txt", "content": "line 1\\nli',
        '{"a": 1',
        "[1]",
        '"text"',
        "null",
        '{"a": NaN}',
        '{"a": 1}}',
        '{"a":' * 5000,
    ],
)
def test_tool_input_that_is_no_object_is_handed_on_raw(raw: str) -> None:
    message, done = fold(START, *call(raw))
    assert done == [BlockDone(0, ToolUseBlock("t1", "Read", {}), raw)]
    assert message.response().blocks[0].unparsed == raw


def test_two_calls_with_one_id_are_two_calls() -> None:
    message, done = fold(START, *call('{"n": 1}'), *call('{"n": 2}'), end("tool_use"), STOP)
    assert [one.block for one in done] == [
        ToolUseBlock("t1", "Read", {"n": 1}),
        ToolUseBlock("t1", "Read", {"n": 2}),
    ]
    assert len(message.response().blocks) == 2


def test_server_tools_and_their_results_are_kept() -> None:
    use = block(
        0,
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "input_json_delta", "partial_json": '{"query": "x"}'},
    )
    content = [{"type": "web_search_result", "url": "http://localhost", "encrypted_content": "e"}]
    result = block(1, {"type": "web_search_tool_result", "tool_use_id": "s1", "content": content})
    cited = block(
        2,
        {"type": "text", "text": "", "citations": []},
        {"type": "citations_delta", "citation": {"type": "web_search_result_location"}},
        {"type": "text_delta", "text": "found"},
    )
    _, done = fold(START, *use, *result, *cited)
    assert [one.block for one in done] == [
        ServerToolUseBlock("s1", "web_search", {"query": "x"}),
        ServerToolResultBlock("web_search_tool_result", "s1", content),
        TextBlock("found"),
    ]


def test_what_is_unknown_is_passed_over_or_kept() -> None:
    unknown = block(
        0,
        {"type": "compaction", "content": None},
        {"type": "compaction_delta", "content": "summary"},
    )
    odd_delta = block(
        1, {"type": "text", "text": ""}, {"type": "rumour", "text": "?"}, {"no": "type"}
    )
    message, done = fold(
        {"type": "content_block_rumour", "index": 0}, START, *unknown, *odd_delta, {"x": 1}
    )
    assert [one.block for one in done] == [
        UnknownBlock({"type": "compaction", "content": "summary"}),
        TextBlock(""),
    ]
    assert message.started and not message.ended


def test_blocks_left_open_are_finished_by_the_end_of_the_message() -> None:
    message, done = fold(START, *text("Hi")[:-1], end(), STOP)
    assert done == [BlockDone(0, TextBlock("Hi"))]
    assert message.ended


def test_a_new_block_at_an_open_index_finishes_the_old_one() -> None:
    _, done = fold(START, *text("one")[:-1], *text("two"))
    assert [one.block for one in done] == [TextBlock("one"), TextBlock("two")]


def test_text_without_a_start_is_text() -> None:
    delta = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "x"},
    }
    _, done = fold(START, delta, {"type": "content_block_stop", "index": 0})
    assert done == [BlockDone(0, TextBlock("x"))]
    lost: Event = {**delta, "delta": {"type": "input_json_delta", "partial_json": "{}"}}
    assert fold(START, lost, {"type": "content_block_stop", "index": 0})[1] == []


def test_usage_is_overwritten_not_added_and_null_changes_nothing() -> None:
    start: Event = {
        "type": "message_start",
        "message": {
            "id": "m",
            "usage": {
                "input_tokens": 10,
                "output_tokens": 1,
                "cache_read_input_tokens": 90,
                "cache_creation_input_tokens": 8,
                "cache_creation": {"ephemeral_1h_input_tokens": 8},
                "service_tier": None,
            },
        },
    }
    later = end(
        output_tokens=20,
        input_tokens=None,
        cache_read_input_tokens=None,
        server_tool_use={"web_search_requests": 2},
    )
    message, _ = fold(start, end(output_tokens=5), later, STOP)
    assert message.usage == Usage(10, 20, 8, 90, 8, 2)


def test_a_refusal_keeps_its_details_and_its_emptiness_is_fine() -> None:
    refusal: Event = {
        "type": "message_delta",
        "delta": {
            "stop_reason": "refusal",
            "stop_sequence": None,
            "stop_details": {"type": "refusal", "category": "cyber"},
        },
        "usage": {"output_tokens": 0},
    }
    message, _ = fold(START, refusal, STOP)
    response = message.response()
    assert (response.stop_reason, response.blocks) == ("refusal", ())
    assert response.stop_details == {"type": "refusal", "category": "cyber"}
    assert not message.hollow


def test_a_message_that_says_nothing_at_all_is_hollow() -> None:
    assert fold(START, STOP)[0].hollow
    no_usage: Event = {"type": "message_start", "message": {}}
    assert fold(no_usage, end(), STOP)[0].hollow
    assert not fold(no_usage, *text("x"), STOP)[0].hollow


def test_a_cut_response_has_no_stop_reason() -> None:
    message, _ = fold(START, *text("whole"), end("tool_use"))
    response = message.response(cut="It broke.")
    assert (response.cut, response.stop_reason) == ("It broke.", None)


def test_only_thought_and_blanks_are_not_spoken() -> None:
    thought = block(0, {"type": "thinking", "thinking": "x", "signature": "s"})
    assert not fold(START, *thought, *text(" \n"))[0].spoken
    assert fold(START, *thought, *text("x"))[0].spoken
    assert fold(START, *call("{}"))[0].spoken


def test_a_long_text_in_many_deltas_costs_its_length_once() -> None:
    parts = ["word "] * 100_000
    _, done = fold(START, *text(*parts))
    assert done == [BlockDone(0, TextBlock("word " * 100_000))]


@pytest.mark.parametrize(
    ("sse", "event"),
    [
        (SseEvent("", '{"type": "ping"}'), {"type": "ping"}),
        (SseEvent("message_stop", "{}"), {"type": "message_stop"}),
        (SseEvent("wrong", '{"type": "ping"}'), {"type": "ping"}),
        (SseEvent("", '{"error": {"message": "x"}}'), {"type": "error", "error": {"message": "x"}}),
        (SseEvent("", "[DONE]"), {"type": "ping"}),
        (SseEvent("", '{"a": 1}'), {"a": 1, "type": ""}),
    ],
)
def test_the_type_is_in_the_json_or_else_in_the_name(sse: SseEvent, event: Event) -> None:
    assert read_event(sse) == event


@pytest.mark.parametrize("data", ["", "{", "[]", "text", '{"type":"content_block_delta","ind'])
def test_data_that_is_no_object_is_an_error(data: str) -> None:
    with pytest.raises(ValueError, match="not a JSON object"):
        read_event(SseEvent("x", data))


def test_an_error_may_be_an_object_or_a_text() -> None:
    error = {"type": "overloaded_error", "message": "Overloaded"}
    assert fold({"type": "error", "error": error})[0].error == error
    assert fold({"type": "error", "error": "boom"})[0].error == {"message": "boom"}
    assert json.dumps(fold({"type": "error"})[0].error) == "{}"


def test_values_of_an_odd_form_count_as_not_there() -> None:
    message, done = fold(
        START,
        *block(0, {"type": "text", "text": 5}, {"type": ["odd"], "text": "x"}),
        *block(0, {"type": {"odd": 1}, "text": "x"}, {"type": ["odd"], "more": 1}),
        {"type": "message_delta", "delta": {"stop_reason": {"odd": 1}, "stop_sequence": [1]}},
        STOP,
    )
    response = message.response()
    assert (response.stop_reason, response.stop_sequence) == (None, None)
    assert done[0].block == TextBlock("")
    assert isinstance(done[1].block, UnknownBlock)
