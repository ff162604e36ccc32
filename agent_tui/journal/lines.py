"""What a window is made of: lines with blocks as they may be sent, and the calls in them that wait for a result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agent_tui.protocol.content import JsonObject


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the window: blocks as they may be sent, calls under ids that are unique in the session.

    Attributes:
        response: which response of the session it belongs to, from 1; 0 for the person's.
        model: the model asked, for the model's lines: thinking goes back to that model only.
        size: bytes of text, about; pictures count as their tokens times four.
        is_context: the session's context text.
    """

    role: Literal["user", "assistant"]
    uuid: str
    blocks: tuple[JsonObject, ...]
    response: int = 0
    message_id: str = ""
    model: str = ""
    size: int = 0
    is_context: bool = False


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A tool call without a result.

    ``id`` is what it is known by in requests; ``raw_id`` what the model wrote, perhaps empty or used before.
    """

    id: str
    raw_id: str
    name: str
    input: JsonObject
    assistant_uuid: str
    message_id: str
    unparsed: str | None = None


def said_text(blocks: Iterable[JsonObject]) -> str:
    """Give the text of the text blocks, joined by new lines."""
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def block_size(block: JsonObject) -> int:
    """Bytes of what the model reads of a sendable block, about; a picture counts as 1,600 tokens of four bytes."""
    match block.get("type"):
        case "text":
            return len(block["text"].encode("utf-8", "replace"))
        case "thinking":
            return len(block["thinking"].encode("utf-8", "replace"))
        case "tool_use":
            return len(json.dumps(block["input"])) + len(block["name"])
        case "tool_result":
            content = block["content"]
            if isinstance(content, str):
                return len(content.encode("utf-8", "replace"))
            return sum(map(block_size, content))
        case "image" | "document":
            return 6400
        case _:
            return len(json.dumps(block))


def called(
    result: JsonObject, source: str | None, open_calls: tuple[OpenCall, ...]
) -> OpenCall | None:
    """Find the open call a result answers: by the line that made it, else by its id, else by its raw id."""
    named = str(result.get("tool_use_id") or "")
    found = [c for c in open_calls if source is not None and c.assistant_uuid == source]
    if len(found) > 1:
        found = [c for c in found if named in (c.id, c.raw_id)]
    found = found or [c for c in open_calls if c.id == named]
    found = found or [c for c in open_calls if c.raw_id == named]
    return found[0] if found else None


def lines_from(lines: Sequence[Line], uuid: str | None) -> list[Line]:
    """Give the lines from the one with this uuid on, a response always whole; none when there is no such line."""
    for index in range(len(lines) - 1, -1, -1):
        if lines[index].uuid == uuid:
            number = lines[index].response
            while index and number and lines[index - 1].response == number:
                index -= 1
            return list(lines[index:])
    return []
