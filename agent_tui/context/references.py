"""References to deferred tools in the results of a search: the API puts the tool's definition in their place.

It refuses a whole request for a reference to a tool that isn't among those of the request: one whose server is gone,
or that this model is told in full. Such a reference becomes text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent_tui.protocol.content import JsonObject


def without_dangling(messages: list[JsonObject], tools: Sequence[JsonObject]) -> list[JsonObject]:
    """Give the messages with references to deferred tools of the request only; nothing given is changed."""
    known = {str(tool["name"]) for tool in tools if tool.get("defer_loading")}
    return [
        {**message, "content": [_settled(block, known) for block in message["content"]]}
        if any(_dangles(block, known) for block in message["content"])
        else message
        for message in messages
    ]


def _settled(block: JsonObject, known: set[str]) -> JsonObject:
    if not _dangles(block, known):
        return block
    parts = [_text(part) if _is_dangling(part, known) else part for part in block["content"]]
    return {**block, "content": parts}


def _dangles(block: JsonObject, known: set[str]) -> bool:
    content: Any = block.get("content")
    return (
        block["type"] == "tool_result"
        and isinstance(content, list)
        and any(_is_dangling(part, known) for part in content)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    )


def _is_dangling(part: JsonObject, known: set[str]) -> bool:
    return part["type"] == "tool_reference" and part["tool_name"] not in known


def _text(part: JsonObject) -> JsonObject:
    return {"type": "text", "text": f"[The definition of {part['tool_name']} stood here.]"}
