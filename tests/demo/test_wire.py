from __future__ import annotations

import json

from agent_tui.demo.script import Reply
from agent_tui.demo.wire import events, message, sse
from agent_tui.protocol.content import TextBlock, ThinkingBlock, ToolUseBlock
from agent_tui.protocol.usage import Usage

CALL = ToolUseBlock("toolu_1", "Write", {"file_path": "/ä/b", "content": "x\n" * 40})
REPLY = Reply((ThinkingBlock("hm, well", "sig"), TextBlock(" two  words\n"), CALL))
USAGE = Usage(3, 50, 7, 11)


def test_the_deltas_add_up_to_the_blocks() -> None:
    sent = list(events(REPLY, "msg_1", USAGE))
    joined = {"thinking": "", "signature": "", "text": "", "partial_json": ""}
    for event in sent:
        if event["type"] == "content_block_delta":
            for key in joined.keys() & event["delta"].keys():
                joined[key] += event["delta"][key]
    assert joined["thinking"] == "hm, well"
    assert joined["signature"] == "sig"
    assert joined["text"] == " two  words\n"
    assert json.loads(joined["partial_json"]) == CALL.input


def test_the_frame_of_a_stream() -> None:
    sent = list(events(REPLY, "msg_1", USAGE))
    assert [e["type"] for e in (sent[0], *sent[-2:])] == [
        "message_start",
        "message_delta",
        "message_stop",
    ]
    assert sent[0]["message"]["content"] == []
    assert sent[0]["message"]["usage"]["cache_read_input_tokens"] == 11
    assert sent[0]["message"]["usage"]["output_tokens"] == 1
    assert sent[-2]["delta"]["stop_reason"] == "tool_use"
    assert sent[-2]["usage"]["output_tokens"] == 50
    starts = [e["content_block"]["type"] for e in sent if e["type"] == "content_block_start"]
    assert starts == ["thinking", "text", "tool_use"]


def test_text_comes_word_by_word() -> None:
    reply = Reply((TextBlock("one two three"),))
    texts = [e["delta"]["text"] for e in events(reply, "m", USAGE) if "text" in e.get("delta", {})]
    assert texts == ["one ", "two ", "three"]


def test_a_whole_message_and_an_event_on_the_wire() -> None:
    whole = message(Reply((TextBlock("hi"),)), "msg_2", USAGE)
    assert whole["content"] == [{"type": "text", "text": "hi"}]
    assert (whole["stop_reason"], whole["model"]) == ("end_turn", "demo")
    assert sse({"type": "ping"}) == b'event: ping\ndata: {"type": "ping"}\n\n'
