"""A reply as the Messages API sends it: the events of a stream, or one message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from agent_tui.demo.script import Block, Reply
from agent_tui.protocol.content import (
    JsonObject,
    TextBlock,
    ThinkingBlock,
    ToolUseBlock,
    block_to_json,
)
from agent_tui.protocol.usage import Usage

MODEL = "demo"
"""The model's id, whatever was asked for: the answer must not pass for another model's."""

_JSON_PIECE = 24


def events(reply: Reply, message_id: str, usage: Usage) -> Iterator[JsonObject]:
    """Give the events of the stream in order, from ``message_start`` to ``message_stop``."""
    start = message(Reply(()), message_id, Usage())
    start["usage"] = {**usage.to_api(), "output_tokens": 1}
    start["stop_reason"] = None
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(reply.blocks):
        yield {"type": "content_block_start", "index": index, "content_block": _opened(block)}
        for delta in _deltas(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": reply.stop_reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": usage.to_api()}
    yield {"type": "message_stop"}


def message(reply: Reply, message_id: str, usage: Usage) -> JsonObject:
    """Give the whole reply as one message object."""
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [block_to_json(block) for block in reply.blocks],
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "usage": usage.to_api(),
    }


def sse(event: JsonObject) -> bytes:
    """Write one event of a stream."""
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _opened(block: Block) -> JsonObject:
    match block:
        case TextBlock():
            return {"type": "text", "text": ""}
        case ThinkingBlock():
            return {"type": "thinking", "thinking": "", "signature": ""}
        case ToolUseBlock():
            return {"type": "tool_use", "id": block.id, "name": block.name, "input": {}}


def _deltas(block: Block) -> Iterator[JsonObject]:
    match block:
        case TextBlock():
            for word in re.findall(r"\s*\S+\s*", block.text):
                yield {"type": "text_delta", "text": word}
        case ThinkingBlock():
            for word in re.findall(r"\s*\S+\s*", block.thinking):
                yield {"type": "thinking_delta", "thinking": word}
            yield {"type": "signature_delta", "signature": block.signature}
        case ToolUseBlock():
            text = json.dumps(block.input)
            for at in range(0, len(text), _JSON_PIECE):
                piece = text[at : at + _JSON_PIECE]
                yield {"type": "input_json_delta", "partial_json": piece}
