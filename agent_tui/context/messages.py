"""The window's lines as messages the API takes, whatever the journal went through.

The rules of the API kept here: roles alternate, the person's first and last; every call has its result, first in the
next message and in the order of the calls; a result answers a call of the message before; no message is empty; no
answer ends in thinking, and thinking goes to the model it came from only. Adding lines never changes a block that
went out before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent_tui.journal.entries import NOT_COMPLETED
from agent_tui.journal.lines import Line
from agent_tui.journal.sendable import is_server_call, is_server_result
from agent_tui.protocol.content import JsonObject

NO_BEGINNING = "(The beginning of this conversation is not here.)"
GO_ON = "Go on."
MAX_IMAGES = 100
"""The most pictures any model takes in one request."""

_IMAGE_STEP = 50
_IMAGE_GONE: JsonObject = {
    "type": "text",
    "text": "[an earlier picture was left out: too many in one conversation]",
}
_THINKING = frozenset({"thinking", "redacted_thinking"})


@dataclass(slots=True)
class _Exchange:
    """An answer of the model's (none at the start) and what was said to it after."""

    answer: list[Line] = field(default_factory=list[Line])
    said: list[Line] = field(default_factory=list[Line])


def api_messages(lines: Iterable[Line], model: str, *, ask: str | None = None) -> list[JsonObject]:
    """Join lines to messages for ``model``; new dicts and lists around the lines' own blocks.

    ``ask`` is said last, to what is there or instead of asking the model to go on.
    """
    out: list[JsonObject] = []
    server_calls: set[str] = set()
    for exchange in _exchanges(lines):
        answer = _answer_blocks(exchange.answer, model, server_calls)
        _add(out, "assistant", answer)
        _add(out, "user", _said_blocks(answer, exchange.said))
    if not out or out[0]["role"] == "assistant":
        out.insert(0, {"role": "user", "content": [_text(NO_BEGINNING)]})
    if out[-1]["role"] == "assistant":
        out.append({"role": "user", "content": [_text(ask or GO_ON)]})
    elif ask:
        out[-1]["content"].append(_text(ask))
    return _with_fewer_images(out)


def _exchanges(lines: Iterable[Line]) -> list[_Exchange]:
    found = [_Exchange()]
    for line in lines:
        if line.role == "user":
            found[-1].said.append(line)
            continue
        answer = found[-1].answer
        if not answer or answer[-1].response != line.response:
            found.append(_Exchange())
        found[-1].answer.append(line)
    return found


def _answer_blocks(lines: Sequence[Line], model: str, known: set[str]) -> list[JsonObject]:
    """Give the blocks of an answer; ``known`` are the ids of server calls so far, and gains this one's."""
    blocks = [
        block
        for line in lines
        for block in line.blocks
        if block["type"] not in _THINKING or _same_model(line.model, model)
    ]
    blocks = _paired(blocks, known)
    while blocks and blocks[-1]["type"] in _THINKING:
        blocks.pop()
    return blocks


def _paired(blocks: list[JsonObject], known: set[str]) -> list[JsonObject]:
    """Leave out calls of server tools without their result, results without their call, and pairs known by id."""
    calls = [str(block.get("id")) for block in blocks if is_server_call(block)]
    results = [str(block.get("tool_use_id")) for block in blocks if is_server_result(block)]
    if not calls and not results:
        return blocks
    whole = {one for one in calls if calls.count(one) == 1 and results.count(one) == 1} - known
    known |= whole
    return [
        block
        for block in blocks
        if (not is_server_call(block) or str(block.get("id")) in whole)
        and (not is_server_result(block) or str(block.get("tool_use_id")) in whole)
    ]


def _said_blocks(answer: list[JsonObject], said: Sequence[Line]) -> list[JsonObject]:
    results: dict[str, JsonObject] = {}
    others: list[JsonObject] = []
    for block in (block for line in said for block in line.blocks):
        if block["type"] == "tool_result":
            results.setdefault(str(block["tool_use_id"]), block)
        else:
            others.append(block)
    calls = [str(block["id"]) for block in answer if block["type"] == "tool_use"]
    return [results.get(call) or _not_completed(call) for call in calls] + others


def _add(out: list[JsonObject], role: str, blocks: list[JsonObject]) -> None:
    if not blocks:
        return
    if out and out[-1]["role"] == role:
        out[-1]["content"].extend(blocks)
    else:
        out.append({"role": role, "content": blocks})


def _not_completed(call_id: str) -> JsonObject:
    return {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": NOT_COMPLETED,
        "is_error": True,
    }


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _same_model(one: str, other: str) -> bool:
    """Whether two names mean one model: a date at the end does not count, no name fits all."""
    return not one or _undated(one) == _undated(other)


def _undated(name: str) -> str:
    return re.sub(r"-20\d{6}$", "", name)


def _with_fewer_images(messages: list[JsonObject]) -> list[JsonObject]:
    """Leave out the oldest pictures when there are too many: in steps, so that the prefix changes seldom."""
    count = sum(_images(block) for message in messages for block in message["content"])
    if count <= MAX_IMAGES:
        return messages
    surplus = -(-(count - MAX_IMAGES) // _IMAGE_STEP) * _IMAGE_STEP
    out: list[JsonObject] = []
    for message in messages:
        content: list[JsonObject] = []
        for block in message["content"]:
            taken = min(surplus, _images(block))
            content.append(_without_images(block, taken) if taken else block)
            surplus -= taken
        out.append({**message, "content": content})
    return out


def _images(block: JsonObject) -> int:
    if block["type"] == "image":
        return 1
    content = block.get("content")
    if block["type"] != "tool_result" or not isinstance(content, list):
        return 0
    return sum(part["type"] == "image" for part in content)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _without_images(block: JsonObject, count: int) -> JsonObject:
    if block["type"] == "image":
        return _IMAGE_GONE
    parts: list[JsonObject] = []
    for part in block["content"]:
        if part["type"] == "image" and count:
            count -= 1
            parts.append(_IMAGE_GONE)
        else:
            parts.append(part)
    return {**block, "content": parts}
