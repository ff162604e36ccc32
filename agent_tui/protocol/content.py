"""Content blocks: what the messages of a conversation are made of, in the API's own shapes.

Each class mirrors one block of the Messages API. ``block_from_json`` and ``block_to_json`` are the only
translation between the two; a block this version does not know is kept whole in ``UnknownBlock``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object as Python data: str keys, values that survive ``json.dumps``."""

ToolData: TypeAlias = JsonObject | list[JsonObject] | str
"""A tool's output as data for programs: an object; content blocks (a server's tool); the text of an error."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Text said by the model or typed by the person."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingBlock:
    """The model's reasoning; ``signature`` must go back to the API unchanged."""

    thinking: str
    signature: str


@dataclass(frozen=True, slots=True)
class RedactedThinkingBlock:
    """Reasoning the API keeps to itself; ``data`` must go back unchanged."""

    data: str


@dataclass(frozen=True, slots=True)
class ToolUseBlock:
    """One tool call asked for by the model. ``input`` is always an object."""

    id: str
    name: str
    input: JsonObject


@dataclass(frozen=True, slots=True)
class ToolResultBlock:
    """The answer to the tool call ``tool_use_id``; a list holds API content blocks."""

    tool_use_id: str
    content: str | list[JsonObject] | None = None
    is_error: bool | None = None


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """A picture, base64 in ``data``."""

    media_type: str
    data: str


@dataclass(frozen=True, slots=True)
class ServerToolUseBlock:
    """A call of a tool that runs on the server."""

    id: str
    name: str
    input: JsonObject


@dataclass(frozen=True, slots=True)
class ServerToolResultBlock:
    """What a server tool gave; ``content`` is opaque, ``type`` the block's own type name."""

    type: str
    tool_use_id: str
    content: Any


@dataclass(frozen=True, slots=True)
class UnknownBlock:
    """A block of a kind this version does not know, kept whole so that it can be sent back."""

    raw: JsonObject = field(default_factory=dict[str, Any])


ContentBlock: TypeAlias = (
    TextBlock
    | ThinkingBlock
    | RedactedThinkingBlock
    | ToolUseBlock
    | ToolResultBlock
    | ImageBlock
    | ServerToolUseBlock
    | ServerToolResultBlock
    | UnknownBlock
)


def block_from_json(raw: JsonObject) -> ContentBlock:
    """Read one API content block; never raises, the unknown is kept."""
    try:
        match raw.get("type"):
            case "text":
                return TextBlock(str(raw["text"]))
            case "thinking":
                return ThinkingBlock(str(raw["thinking"]), str(raw.get("signature", "")))
            case "redacted_thinking":
                return RedactedThinkingBlock(str(raw["data"]))
            case "tool_use":
                return ToolUseBlock(str(raw["id"]), str(raw["name"]), _object(raw.get("input")))
            case "tool_result":
                content = _result_content(raw.get("content"))
                return ToolResultBlock(str(raw["tool_use_id"]), content, raw.get("is_error"))
            case "image" if raw["source"].get("type") == "base64":
                return ImageBlock(str(raw["source"]["media_type"]), str(raw["source"]["data"]))
            case "server_tool_use":
                return ServerToolUseBlock(
                    str(raw["id"]), str(raw["name"]), _object(raw.get("input"))
                )
            case str() as kind if kind.endswith("_tool_result"):
                return ServerToolResultBlock(kind, str(raw["tool_use_id"]), raw.get("content"))
            case _:
                return UnknownBlock(raw)
    except (KeyError, AttributeError, TypeError):
        return UnknownBlock(raw)


def _result_content(value: Any) -> str | list[JsonObject] | None:
    if isinstance(value, list):
        parts = cast("list[Any]", value)
        return parts if all(isinstance(part, dict) for part in parts) else str(parts)
    return value if value is None or isinstance(value, str) else str(value)


def block_to_json(block: ContentBlock) -> JsonObject:
    """Give the block back in the API's shape."""
    match block:
        case TextBlock(text):
            return {"type": "text", "text": text}
        case ThinkingBlock(thinking, signature):
            return {"type": "thinking", "thinking": thinking, "signature": signature}
        case RedactedThinkingBlock(data):
            return {"type": "redacted_thinking", "data": data}
        case ToolUseBlock(id_, name, input_):
            return {"type": "tool_use", "id": id_, "name": name, "input": input_}
        case ToolResultBlock(tool_use_id, content, is_error):
            out: JsonObject = {"type": "tool_result", "tool_use_id": tool_use_id}
            if content is not None:
                out["content"] = content
            if is_error is not None:
                out["is_error"] = is_error
            return out
        case ImageBlock(media_type, data):
            source = {"type": "base64", "media_type": media_type, "data": data}
            return {"type": "image", "source": source}
        case ServerToolUseBlock(id_, name, input_):
            return {"type": "server_tool_use", "id": id_, "name": name, "input": input_}
        case ServerToolResultBlock(kind, tool_use_id, content):
            return {"type": kind, "tool_use_id": tool_use_id, "content": content}
        case UnknownBlock(raw):
            return raw


def _object(value: Any) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}
