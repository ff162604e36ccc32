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
    server = _ServerCalls()
    exchanges = _exchanges(lines)
    for exchange, spoken in zip(exchanges, _spoken(exchanges, asked=bool(ask)), strict=True):
        answer = _answer_blocks(exchange, model, server, spoken=spoken)
        _add(out, "assistant", answer)
        _add(out, "user", _said_blocks(answer, exchange.said))
    if not out or out[0]["role"] == "assistant":
        out.insert(0, {"role": "user", "content": [_text(NO_BEGINNING)]})
    if out[-1]["role"] == "assistant":
        # an answer that the server paused among its own tools goes back as it is, for it to go on from there
        if ask or not _is_servers(out[-1]["content"][-1]):
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


@dataclass(slots=True)
class _ServerCalls:
    """Calls of the server's own tools by id: those that are shown, and those of them with their result."""

    shown: set[str] = field(default_factory=set[str])
    closed: set[str] = field(default_factory=set[str])

    def keep(self, block: JsonObject, results: set[str], *, may_be_open: bool) -> bool:
        """Tell whether a block may be shown: a call once, a result once and behind its call."""
        if is_server_call(block):
            call = str(block.get("id"))
            if call in self.shown or not (call in results or may_be_open):
                return False
            self.shown.add(call)
        elif is_server_result(block):
            call = str(block.get("tool_use_id"))
            if call not in self.shown or call in self.closed:
                return False
            self.closed.add(call)
        return True


def _spoken(exchanges: Sequence[_Exchange], *, asked: bool) -> list[bool]:
    """Tell for each answer whether somebody speaks before the next one.

    Until then a call of the server's may stay open: its result comes with the next answer.
    """
    found: list[bool] = []
    for exchange in reversed(exchanges):
        text = any(b["type"] != "tool_result" for line in exchange.said for b in line.blocks)
        found.append(text or asked)
        # of an answer that may come to nothing, what was said to it is said to the one before
        asked = found[-1] and not any(map(_is_solid, exchange.answer))
    return found[::-1]


def _is_solid(line: Line) -> bool:
    return any(b["type"] not in _THINKING and not _is_servers(b) for b in line.blocks)


def _answer_blocks(
    exchange: _Exchange, model: str, server: _ServerCalls, *, spoken: bool
) -> list[JsonObject]:
    blocks = [
        block
        for line in exchange.answer
        for block in line.blocks
        if block["type"] not in _THINKING or _same_model(line.model, model)
    ]
    results = {str(block.get("tool_use_id")) for block in blocks if is_server_result(block)}
    # a call of the server's may stay open, for its result to come with the next answer, as long as nobody speaks
    spoken = spoken or any(
        b["type"] != "tool_result" for line in exchange.said for b in line.blocks
    )
    blocks = [block for block in blocks if server.keep(block, results, may_be_open=not spoken)]
    while blocks and blocks[-1]["type"] in _THINKING:
        blocks.pop()
    return blocks


def _is_servers(block: JsonObject) -> bool:
    return is_server_call(block) or is_server_result(block)


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
