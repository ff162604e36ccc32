from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.model.client import ModelResponse
from agent_tui.model.endpoint import Endpoint
from agent_tui.model.failures import Failure
from agent_tui.model.stream import StreamReader
from agent_tui.protocol.content import TextBlock, ToolUseBlock
from tests.model.asking import KEY, Told, environment
from tests.model.test_accumulate import START, STOP, block, call, end, text

GATEWAY = Endpoint.of("http://gateway.test", KEY, environment())
BROKEN = Failure("The connection broke off.", again="later")
THOUGHT = block(0, {"type": "thinking", "thinking": "hm", "signature": "s"})


def lines(*events: dict[str, Any], name: bool = True) -> bytes:
    return b"".join(
        (f"event: {event['type']}\n" if name else "").encode()
        + f"data: {json.dumps(event)}\n\n".encode()
        for event in events
    )


async def read(
    *chunks: bytes,
    broken: Failure | None = None,
    content_type: str = "text/event-stream; charset=utf-8",
) -> tuple[ModelResponse | Failure, Told]:
    told = Told()
    reader = StreamReader(GATEWAY, told, content_type, "req_1")
    for chunk in chunks:
        await reader.feed(chunk)
    if broken is None:
        await reader.close()
    return reader.outcome(broken, 12), told


def outcome(
    *chunks: bytes, broken: Failure | None = None, content_type: str = "text/event-stream"
) -> ModelResponse | Failure:
    async def run() -> ModelResponse | Failure:
        return (await read(*chunks, broken=broken, content_type=content_type))[0]

    return anyio.run(run)


def failure(
    *chunks: bytes, broken: Failure | None = None, content_type: str = "text/event-stream"
) -> Failure:
    found = outcome(*chunks, broken=broken, content_type=content_type)
    assert isinstance(found, Failure)
    return found


def response(*chunks: bytes, broken: Failure | None = None) -> ModelResponse:
    found = outcome(*chunks, broken=broken)
    assert isinstance(found, ModelResponse)
    return found


@pytest.mark.anyio
async def test_events_are_told_in_order_without_pings_and_blocks_right_before_their_stop() -> None:
    found, told = await read(
        lines(START, {"type": "ping"}, *text("Hi"), {"type": "rumour"}, end(), STOP, START)
    )
    assert isinstance(found, ModelResponse)
    assert (found.request_id, found.duration_ms, found.cut) == ("req_1", 12, None)
    kinds = [type(one).__name__ for one in told.events]
    assert kinds == [*["WireEvent"] * 3, "BlockDone", *["WireEvent"] * 4]
    assert told.wire_types == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "rumour",
        "message_delta",
        "message_stop",
    ]


def test_nothing_is_read_after_the_end() -> None:
    async def run() -> tuple[bool, list[str]]:
        told = Told()
        reader = StreamReader(GATEWAY, told)
        await reader.feed(lines(START, *text("a"), STOP, *text("b")))
        assert reader.done
        await reader.feed(lines(*text("c")))
        return reader.done, told.texts

    assert anyio.run(run) == (True, ["a"])


@pytest.mark.parametrize("broken", [None, BROKEN])
def test_a_stream_that_ends_early_is_tried_again(broken: Failure | None) -> None:
    found = failure(lines(START, *call('{"file_path": "a.txt", "content": "li')[:2]), broken=broken)
    assert (found.again, found.after_blocks, found.status) == ("later", 0, None)
    assert found.request_id == "req_1"


@pytest.mark.parametrize(
    ("blocks", "last"),
    [(text("whole"), TextBlock("whole")), (call("{}"), ToolUseBlock("t1", "Read", {}))],
)
@pytest.mark.parametrize("broken", [None, BROKEN])
def test_after_finished_text_or_a_finished_call_what_is_there_counts(
    blocks: list[dict[str, Any]], last: Any, broken: Failure | None
) -> None:
    half = call('{"file_pa')[:2]
    found = response(lines(START, *blocks, *half), broken=broken)
    assert [one.block for one in found.blocks] == [last]
    assert found.stop_reason is None
    assert found.cut == (broken.text if broken else found.cut) and found.cut


def test_after_thinking_alone_the_retries_are_quick_and_few() -> None:
    found = failure(lines(START, *THOUGHT), broken=BROKEN)
    assert (found.again, found.after_blocks) == ("thought", 1)
    refused = failure(
        lines(START, *THOUGHT, {"type": "error", "error": {"type": "invalid_request_error"}})
    )
    assert (refused.again, refused.after_blocks) == ("never", 1)


def test_an_error_event_ends_the_stream() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    found = failure(lines(START, error, *text("x"), STOP))
    assert (found.kind, found.again, found.status) == ("overloaded", "later", 529)
    cut = response(lines(START, *text("x"), error))
    assert cut.cut == "The API is overloaded: Overloaded."
    before = failure(lines(error))
    assert before.kind == "overloaded"


def test_an_event_that_can_not_be_read_is_tried_again() -> None:
    found = failure(lines(START) + b'data: {"type":"content_block_delta","ind\n\n')
    assert found.again == "later" and '{"type":"content_block_delta","ind"' in found.text


def test_the_last_event_may_lack_its_empty_line() -> None:
    assert response(lines(START, *text("x"), end(), STOP)[:-2]).cut is None
    assert response(lines(START, *text("x"), end(), STOP)[:-3]).cut is not None


def test_a_stream_without_event_lines_is_a_stream() -> None:
    assert response(lines(START, *text("x"), end(), STOP, name=False)).stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("body", "content_type", "words"),
    [
        (b"<html><h1>Welcome to the hotel</h1>", "text/html", '"Welcome to the hotel"'),
        (
            b'{"id": "msg_1", "type": "message", "content": []}',
            "application/json",
            "application/json",
        ),
        (lines(*text("x"), STOP), "text/event-stream", "without message_start"),
        (b": hello\n\n", "text/event-stream", "without message_start"),
        (b"data: [DONE]\n\n", "text/event-stream", "without message_start"),
        (b"", "text/plain", "text/plain"),
        (b"", "", "no stream"),
    ],
)
def test_n4_what_is_no_message_names_the_gateway(
    body: bytes, content_type: str, words: str
) -> None:
    found = failure(body, content_type=content_type)
    assert found.again == "never"
    assert "http://gateway.test" in found.text and words in found.text
    assert "gateway" in found.text and found.status == 200


def test_n4_an_empty_stream_is_tried_again_and_named() -> None:
    found = failure(b"")
    assert (found.again, found.kind) == ("later", "server_error")
    assert "http://gateway.test sent an empty answer" in found.text


@pytest.mark.parametrize("events", [[START, STOP], [{"type": "message_start"}, end(), STOP]])
def test_n4_a_message_without_anything_in_it_is_no_success(events: list[dict[str, Any]]) -> None:
    found = failure(lines(*events))
    assert found.again == "never" and "http://gateway.test" in found.text


def test_an_api_error_with_status_200_is_the_error() -> None:
    body = json.dumps({"type": "error", "error": {"type": "rate_limit_error", "message": "Slow."}})
    found = failure(body.encode(), content_type="application/json")
    assert (found.kind, found.again) == ("rate_limit", "later")


def test_a_quote_of_the_body_holds_no_secret() -> None:
    found = failure(f"<p>{KEY}</p>".encode(), content_type="text/html")
    assert KEY not in found.text and "***" in found.text


WHOLE = lines(
    START,
    *THOUGHT,
    *text("é\u2028€", "😀"),
    {"type": "ping"},
    *call('{"a": "', 'é"}'),
    end("tool_use", output_tokens=3),
    STOP,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, len(WHOLE)), max_size=20), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_any_chunking_gives_the_same_response_and_tells_the_same(
    cuts: list[int], newline: bytes
) -> None:
    raw = WHOLE.replace(b"\n", newline)
    places = sorted({0, len(raw), *cuts})

    async def run() -> tuple[Any, Any, Any, Any]:
        found, told = await read(*(raw[a:b] for a, b in pairwise(places)))
        expected, told_whole = await read(WHOLE)
        return found, told.events, expected, told_whole.events

    found, events, expected, expected_events = anyio.run(run)
    assert found == expected and events == expected_events
    assert isinstance(found, ModelResponse) and found.stop_reason == "tool_use"


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "message_start", "message": None},
        {"type": "content_block_start", "index": 0, "content_block": 5},
        {"type": "content_block_delta", "index": 0, "delta": ["text"]},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 7}},
        {"type": "message_delta", "delta": "end"},
    ],
)
def test_events_of_an_odd_form_reach_no_listener(odd: dict[str, Any]) -> None:
    async def run() -> None:
        found, told = await read(lines(START, odd, *text("Hi."), end(), STOP))
        assert isinstance(found, ModelResponse)
        assert odd not in told.wire
        assert [type(one.block) for one in told.blocks][-1:] == [TextBlock]

    anyio.run(run)
