"""What a server's tool gave, as the API's content blocks: text as it is, pictures shrunk, other things in words."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, cast

from anyio import to_thread

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import TextDisplay
from agent_tui.tools.base import ToolOutput
from agent_tui.tools.pictures import PictureError, media_type, prepare

NOTHING = "The tool gave no output."
FAILED = "The tool failed and did not say why."

SHOWN_CHARS = 8_000
"""Of a result's text a person is shown so much."""


async def output_of(result: Mapping[str, Any], title: str) -> ToolOutput:
    """Make the output of a call from the protocol's ``CallToolResult``; ``title`` says what was called.

    What succeeded is a list of blocks, for programs too; what failed is one text.
    """
    blocks = [
        made
        for block in cast("list[JsonObject]", result.get("content") or [])
        if (made := await _block(block)) is not None
    ]
    structured = result.get("structuredContent")
    if not blocks and structured is not None:  # else it says the same once more
        blocks = [_text(json.dumps(structured, ensure_ascii=False, indent=1))]
    text = "\n".join(str(block["text"]) for block in blocks if block["type"] == "text")
    if result.get("isError"):
        return failed(text or FAILED, title)
    blocks = blocks or [_text(NOTHING)]
    return ToolOutput(blocks, TextDisplay(title, text[:SHOWN_CHARS]), structured=blocks)


def failed(text: str, title: str) -> ToolOutput:
    """Make the output of a call that failed."""
    display = TextDisplay(title, text[:SHOWN_CHARS])
    return ToolOutput(text, display, structured=f"Error: {text}", is_error=True)


async def _block(block: JsonObject) -> JsonObject | None:
    """Translate one block; None for one that holds nothing, which the API would refuse."""
    match block.get("type"):
        case "text":
            text = str(block.get("text", ""))
            return _text(text) if text.strip() else None
        case "image":
            return await _picture(str(block.get("data", "")), "the picture")
        case "audio":
            return _text(f"[Sound of type {block.get('mimeType')}, which can't be shown here.]")
        case "resource":
            return await _resource(cast("JsonObject", block.get("resource") or {}))
        case "resource_link":
            return _text(_link(block))
        case kind:
            return _text(f"[Content of the unknown kind {kind!r} is left out.]")


async def _resource(resource: JsonObject) -> JsonObject:
    uri = str(resource.get("uri", ""))
    if isinstance(resource.get("text"), str):
        return _text(f"[Resource {uri}]\n{resource['text']}")
    kind = str(resource.get("mimeType") or "unknown type")
    blob = str(resource.get("blob", ""))
    if kind.startswith("image/"):
        return await _picture(blob, f"the resource {uri}")
    return _text(f"[Resource {uri} of {kind}, {len(blob) * 3 // 4:,} bytes, which can't be shown.]")


def _link(block: JsonObject) -> str:
    told = (str(block.get(key) or "") for key in ("title", "description"))
    more = ": ".join(text for text in told if text)
    return f"[Resource {block.get('name')} at {block.get('uri')}]" + (f" {more}" if more else "")


async def _picture(data: str, what: str) -> JsonObject:
    try:
        return await to_thread.run_sync(_prepared, data)
    except PictureError as error:
        return _text(f"[A picture can't be shown: {what} is unusable, {error}.]")


def _prepared(data: str) -> JsonObject:
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise PictureError("it is no base64") from error
    kind = media_type(raw)  # what it is said to be does not count: the API looks for itself
    if kind is None:
        raise PictureError("it is of no kind that can be sent")
    return prepare(raw, kind).block()


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}
