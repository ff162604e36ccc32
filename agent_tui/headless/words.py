"""The lines a program sends on standard input, read: prompts, requests of its own, answers to ours.

Shapes: reference/cli.md section 3. Lines of other types are left alone, as readers of streams must.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.ops import Prompt

BLOCKS = frozenset({"text", "image", "document"})
"""What a prompt may hold; results of tools are ours to say."""

MAX_PROMPT = 30 * 1024 * 1024
"""Bytes of a prompt's line. The API takes requests of 32 MB: a larger prompt would spoil all that come after it."""


class LineError(Exception):
    """A line that can't be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt, and the record it came as."""

    prompt: Prompt
    record: JsonObject


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of the program: its id, what is asked (``interrupt``, …), all its fields."""

    id: str
    subtype: str
    fields: JsonObject


@dataclass(frozen=True, slots=True)
class Answered:
    """The program's answer to a request of ours; ``error`` says why there is none."""

    id: str
    response: JsonObject
    error: str | None = None


Line: TypeAlias = Turn | Asked | Answered


def read_line(raw: bytes, new_id: Callable[[], str]) -> Line | None:
    """Read a line; None for a blank one and for types that don't concern us.

    Raises:
        LineError: it is no JSON object, or lacks what its type needs.
    """
    if not raw.strip():
        return None
    try:
        data: Any = json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise LineError(f"not valid JSON ({error})") from None
    if not isinstance(data, dict):
        raise LineError("not a JSON object")
    record = cast("JsonObject", data)
    match record.get("type"):
        case "user" if len(raw) > MAX_PROMPT:
            raise LineError(f"the prompt is larger than {MAX_PROMPT:,} bytes")
        case "user":
            return _turn(record, new_id)
        case "control_request":
            return _asked(record)
        case "control_response":
            return _answered(record)
        case str():
            return None
        case _:
            raise LineError('it has no "type"')


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _turn(record: JsonObject, new_id: Callable[[], str]) -> Turn:
    message: Any = record.get("message")
    content: Any = cast("JsonObject", message).get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or cast("JsonObject", message).get("role") != "user":
        raise LineError('a user line needs a "message" with the role "user"')
    uuid = record.get("uuid")
    if not isinstance(uuid, str) or not uuid:
        uuid = new_id()
    text, blocks = _content(content)
    if not text.strip() and blocks is None:
        raise LineError("the prompt is empty")
    prompt = Prompt(
        text,
        uuid,
        now=record.get("priority") != "later",
        content=blocks,
        verbatim=record.get("client_composed") is True,
    )
    return Turn(prompt, record)


def _content(content: Any) -> tuple[str, tuple[JsonObject, ...] | None]:
    """Give a prompt's text, and its blocks where they are more than one text."""
    if isinstance(content, str):
        return content, None
    if not isinstance(content, list):
        raise LineError("the content must be a text or a list of blocks")
    blocks: list[JsonObject] = []
    for entry in cast("list[Any]", content):
        block = cast("JsonObject", entry) if isinstance(entry, dict) else {}
        kind: Any = block.get("type")
        if not isinstance(kind, str) or kind not in BLOCKS:
            raise LineError(f"a prompt may not hold a block of type {kind!r}")
        if kind == "text" and not isinstance(block.get("text"), str):
            raise LineError("a text block needs a text")
        blocks.append(block)
    texts = [str(block["text"]) for block in blocks if block["type"] == "text"]
    plain = len(texts) == len(blocks) <= 1
    return "\n".join(texts), None if plain else tuple(blocks)


def _asked(record: JsonObject) -> Asked:
    request: Any = record.get("request")
    request_id: Any = record.get("request_id")
    if not isinstance(request_id, str) or not request_id:
        raise LineError("a control_request needs a request_id")
    if not isinstance(request, dict):
        raise LineError("a control_request needs a request")
    fields = cast("JsonObject", request)
    return Asked(request_id, str(fields.get("subtype")), fields)


def _answered(record: JsonObject) -> Answered:
    response: Any = record.get("response")
    if not isinstance(response, dict):
        raise LineError("a control_response needs a response")
    fields = cast("JsonObject", response)
    request_id: Any = fields.get("request_id")
    if not isinstance(request_id, str):
        raise LineError("a control_response needs a request_id")
    if fields.get("subtype") != "success":
        return Answered(request_id, {}, str(fields.get("error") or "it failed"))
    inner: Any = fields.get("response")
    return Answered(request_id, cast("JsonObject", inner) if isinstance(inner, dict) else {})


def success(request_id: str, response: JsonObject) -> JsonObject:
    """Make the answer to a request."""
    inner: JsonObject = {"subtype": "success", "request_id": request_id, "response": response}
    return {"type": "control_response", "response": inner}


def failure(request_id: str, error: str) -> JsonObject:
    """Make the answer to a request that can't be met."""
    inner: JsonObject = {"subtype": "error", "request_id": request_id, "error": error}
    return {"type": "control_response", "response": inner}
