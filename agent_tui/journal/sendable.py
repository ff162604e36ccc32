"""What of a stored block may go into a request again: the block as the API accepts it, or None.

Journals hold what was said, whatever it was; the API refuses a whole request for one blank text or one field it
does not know. So each block is copied field by field, thinking goes back byte for byte or not at all, and what is
far too big to ever be accepted is replaced by a note.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any, cast

from agent_tui.journal.wellformed import well_formed, well_formed_json
from agent_tui.protocol.content import JsonObject

MAX_RESULT_CHARS = 200_000
"""A stored tool result longer than this is sent as its head and tail."""

MAX_IMAGE_CHARS = 5 * 1024 * 1024
"""Base64 characters of the largest picture the API takes."""

IMAGE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
MAX_UNPARSED_CHARS = 8_000
"""Of a tool input that is no JSON, this much is sent back."""

EMPTY_RESULT = "(no output)"
LEGAL_ID = re.compile(r"[a-zA-Z0-9_-]+")
LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")

_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")
_SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})
_SERVER_RESULTS = frozenset(
    {
        "web_search_tool_result",
        "web_fetch_tool_result",
        "code_execution_tool_result",
        "bash_code_execution_tool_result",
        "text_editor_code_execution_tool_result",
        "tool_search_tool_result",
        "mcp_tool_result",
    }
)


def assistant_block(raw: JsonObject) -> JsonObject | None:
    """Give a block of the model's as it may be sent back; ids of calls are left as they are."""
    kind = str(raw.get("type"))
    if kind == "text":
        return _text(raw)
    if kind == "thinking":
        return _kept_whole(raw, "thinking", "signature")
    if kind == "redacted_thinking":
        return _kept_whole(raw, "data")
    if kind == "tool_use":
        return tool_use(raw)
    if kind in _SERVER_CALLS or kind in _SERVER_RESULTS:
        return well_formed_json(raw) if _server_id(raw) else None
    return None


def user_block(raw: JsonObject) -> JsonObject | None:
    """Give a block of a prompt or note as it may be sent; tool results have ``tool_result``."""
    kind = str(raw.get("type"))
    if kind == "text":
        return _text(raw, citations=False)
    if kind == "image":
        return image(raw)
    return _document(raw) if kind == "document" else None


def tool_use(raw: JsonObject, unparsed: str | None = None) -> JsonObject:
    """Give a call with a legal name and an object as input."""
    given: Any = raw.get("input")
    if unparsed is not None:
        given = {"unparsed_input": unparsed[:MAX_UNPARSED_CHARS]}
    name = _ILLEGAL.sub("_", str(raw.get("name") or ""))[:128] or "unnamed_tool"
    return {
        "type": "tool_use",
        "id": str(raw.get("id") or ""),
        "name": name,
        "input": well_formed_json(given) if isinstance(given, dict) else {},
    }


def tool_result(raw: JsonObject, call_id: str) -> JsonObject:
    """Give the result of ``call_id``; never blank."""
    out: JsonObject = {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": _result_content(raw.get("content")),
    }
    if isinstance(raw.get("is_error"), bool):
        out["is_error"] = raw["is_error"]
    return out


def legal_id(raw_id: str, turn: int, place: int, taken: Callable[[str], bool]) -> str:
    """Give the id a call is known by: its own, if legal and not taken, else one made of its turn and place."""
    if LEGAL_ID.fullmatch(raw_id) and not taken(raw_id):
        return raw_id
    made = f"{_ILLEGAL.sub('_', raw_id)[:64] or 'call'}_{turn}_{place}"
    while taken(made):
        made += "_"
    return made


def bounded(text: str, limit: int = MAX_RESULT_CHARS) -> str:
    """Cut the middle out of a text of more than ``limit`` characters, saying so."""
    if len(text) <= limit:
        return text
    half = limit // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n[… {left_out:,} characters left out here …]\n{text[-half:]}"


def image(raw: JsonObject) -> JsonObject:
    """Give a picture the API can take, or a text that says why there is none."""
    source = raw.get("source")
    if not isinstance(source, dict):
        return _note("a picture without data was left out")
    where = cast("JsonObject", source)
    if where.get("type") == "url" and isinstance(where.get("url"), str):
        return {"type": "image", "source": {"type": "url", "url": well_formed(where["url"])}}
    data, media = where.get("data"), where.get("media_type")
    if where.get("type") != "base64" or not isinstance(data, str) or media not in IMAGE_TYPES:
        return _note("a picture of a kind that can't be sent was left out")
    if len(data) > MAX_IMAGE_CHARS:
        return _note(f"a picture of {len(data) * 3 // 4:,} bytes was left out: too large to send")
    try:
        if not base64.b64decode(data, validate=True):
            return _note("an empty picture was left out")
    except (binascii.Error, ValueError):
        return _note("a damaged picture was left out")
    return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}


def _text(raw: JsonObject, *, citations: bool = True) -> JsonObject | None:
    text = raw.get("text")
    if not isinstance(text, str) or not text.strip():
        return None
    out: JsonObject = {"type": "text", "text": well_formed(text)}
    if citations and isinstance(raw.get("citations"), list) and raw["citations"]:
        out["citations"] = well_formed_json(raw["citations"])
    return out


def _kept_whole(raw: JsonObject, *fields: str) -> JsonObject | None:
    if not all(isinstance(raw.get(name), str) for name in fields) or not raw.get(fields[-1]):
        return None
    out = {"type": raw["type"], **{name: raw[name] for name in fields}}
    return out if well_formed_json(out) == out else None


def _server_id(raw: JsonObject) -> str:
    return str(raw.get("tool_use_id") or raw.get("id") or "")


def is_server_call(block: JsonObject) -> bool:
    """Whether the block is a call of a tool that runs on the server."""
    return block.get("type") in _SERVER_CALLS


def is_server_result(block: JsonObject) -> bool:
    """Whether the block is what a server tool gave."""
    return block.get("type") in _SERVER_RESULTS


def _document(raw: JsonObject) -> JsonObject | None:
    source = raw.get("source")
    if not isinstance(source, dict):
        return None
    where = cast("JsonObject", source)
    needed = {"base64": ("media_type", "data"), "text": ("media_type", "data"), "url": ("url",)}
    names = needed.get(str(where.get("type")))
    if names is None or not all(isinstance(where.get(name), str) and where[name] for name in names):
        return None
    source = {"type": where["type"], **{name: where[name] for name in names}}
    return {"type": "document", "source": well_formed_json(source)}


def _result_content(content: Any) -> str | list[JsonObject]:
    if isinstance(content, str):
        return bounded(well_formed(content)) if content.strip() else EMPTY_RESULT
    if not isinstance(content, list):
        return EMPTY_RESULT
    parts: list[JsonObject] = []
    for part in cast("list[Any]", content):
        block = _result_part(cast("JsonObject", part)) if isinstance(part, dict) else None
        if block is not None and block["type"] == "text":
            block["text"] = bounded(block["text"])
        if block is not None:
            parts.append(block)
    return parts or EMPTY_RESULT


def _result_part(raw: JsonObject) -> JsonObject | None:
    name = raw.get("tool_name")
    if raw.get("type") == "tool_reference" and isinstance(name, str) and LEGAL_NAME.fullmatch(name):
        return {"type": "tool_reference", "tool_name": name}
    return user_block(raw)


def _note(text: str) -> JsonObject:
    return {"type": "text", "text": f"[{text}]"}
