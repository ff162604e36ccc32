"""Joins the deltas of a stream before they cross: fewer lines, fewer wake-ups, the same text."""

from __future__ import annotations

from typing import Any

from agent_tui.protocol.messages import Message, StreamEvent

_TEXT_KEYS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "input_json_delta": "partial_json",
}


def join_deltas(messages: list[Message]) -> list[Message]:
    """Give the messages with neighbouring deltas of one block joined; order and text are unchanged."""
    out: list[Message] = []
    for message in messages:
        if out and isinstance(message, StreamEvent):
            joined = _joined(out[-1], message)
            if joined is not None:
                out[-1] = joined
                continue
        out.append(message)
    return out


def is_delta(message: Message) -> bool:
    """Tell a message that may wait a moment for its followers."""
    return isinstance(message, StreamEvent) and message.event.get("type") == "content_block_delta"


def _joined(last: Message, new: StreamEvent) -> StreamEvent | None:
    if not (isinstance(last, StreamEvent) and is_delta(last) and is_delta(new)):
        return None
    if last.parent_tool_use_id != new.parent_tool_use_id:
        return None
    if last.event.get("index") != new.event.get("index"):
        return None
    before: dict[str, Any] = last.event["delta"]
    after: dict[str, Any] = new.event["delta"]
    key = _TEXT_KEYS.get(before.get("type", ""))
    if key is None or before["type"] != after.get("type"):
        return None
    delta = {**before, key: before[key] + after[key]}
    return StreamEvent(
        last.uuid, last.session_id, {**last.event, "delta": delta}, last.parent_tool_use_id
    )
