"""From a scripted reply to the bytes of a response.

`resolve` fills in what the script left open (ids, signatures, usage), `plan` turns the result into
steps for the server: bytes to send, pauses, and the places where a fault strikes.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .cache import Accounting
from .rules import Json, Seen, SentThinking, Settings, as_object, block_tokens, facts_of
from .script import AUTO, ApiRequest, Block, Fault, Reply, Wire


class Ids:
    """Makes ids that are unique over all servers, or repeatable ones from a seed."""

    def __init__(self, seed: str | None = None) -> None:
        self._seed = uuid.uuid4().hex if seed is None else seed
        self._count = itertools.count(1)

    def new(self, start: str) -> str:
        """A new id such as `toolu_…`."""
        text = f"{self._seed}:{next(self._count)}"
        return start + hashlib.sha256(text.encode()).hexdigest()[:22]

    def signature(self, text: str) -> str:
        """A new signature of a thinking block."""
        return base64.b64encode(f"{self.new('Eq')}:{len(text)}".encode()).decode()


@dataclass(frozen=True)
class Part:
    """One block of a resolved reply.

    Attributes:
        body: The finished block.
        start: The block as it is in `content_block_start`.
        field: The field of the deltas, or None if the block has none.
        text: What the deltas give when put together.
    """

    body: Json
    start: Json
    field: str | None = None
    text: str = ""

    def delta(self, text: str) -> Json:
        """A delta with a part of the text."""
        kinds = {"text": "text_delta", "thinking": "thinking_delta"}
        return {"type": kinds.get(self.field or "", "input_json_delta"), str(self.field): text}


@dataclass(frozen=True)
class Message:
    """A reply with everything filled in."""

    id: str
    model: str
    parts: tuple[Part, ...]
    stop_reason: str | None
    stop_sequence: str | None
    stop_details: Json | None
    usage_start: Json | None
    usage_end: Json | None

    def whole(self) -> Json:
        """The body of a response that is not streamed."""
        body: Json = {
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [part.body for part in self.parts],
            "stop_reason": self.stop_reason,
            "stop_sequence": self.stop_sequence,
        }
        if self.stop_details is not None:
            body["stop_details"] = self.stop_details
        if self.usage_end is not None:
            body["usage"] = self.usage_end
        return body


def resolve(
    reply: Reply,
    request: ApiRequest,
    accounting: Accounting,
    *,
    ids: Ids,
    seen: Seen,
    settings: Settings,
) -> Message:
    """Fills in a reply for a request, and notes the thinking that it sends.

    With `max_tokens` 0 the message has no content, whatever the script says.
    """
    warm_up = request.body.get("max_tokens") == 0
    blocks = () if warm_up else reply.blocks
    hidden = settings.honour_display and _display(request, settings) == "omitted"
    parts = tuple(_part(block, ids, hidden) for block in blocks)
    _remember(parts, request.model, seen)
    stop = reply.stop_reason
    if warm_up:
        stop = "max_tokens"
    elif stop == AUTO:
        calls = any(part.body.get("type") == "tool_use" for part in parts)
        stop = "tool_use" if calls else "end_turn"
    begin: Json = {**accounting.usage(), "output_tokens": 1, "service_tier": "standard"}
    output = sum(block_tokens(dict(block.body)) for block in blocks)
    thought = sum(block_tokens(dict(one.body)) for one in blocks if one.kind == "thinking")
    end: Json = {**begin, "output_tokens": output}
    if thought:
        end["output_tokens_details"] = {"thinking_tokens": thought}
    changes = dict(reply.usage or {})
    end.update(changes)
    changes.pop("output_tokens", None)
    begin.update(changes)
    return Message(
        id=ids.new("msg_") if reply.id is None else reply.id,
        model=reply.model or request.model,
        parts=parts,
        stop_reason=stop,
        stop_sequence=reply.stop_sequence,
        stop_details=None if reply.stop_details is None else dict(reply.stop_details),
        usage_start=begin if reply.wire.usage else None,
        usage_end=end if reply.wire.usage else None,
    )


def _display(request: ApiRequest, settings: Settings) -> str:
    asked = (as_object(request.body.get("thinking")) or {}).get("display")
    if isinstance(asked, str):
        return asked
    facts = facts_of(request.model, settings)
    return "summarized" if facts is None else facts.display


def _part(block: Block, ids: Ids, hidden: bool) -> Part:
    body: Json = dict(block.body)
    if block.kind == "text":
        value = str(body.get("text", ""))
        return Part(body, {**body, "text": ""}, "text", value)
    if block.kind == "thinking":
        value = "" if hidden else str(body.get("thinking", ""))
        if body.get("signature") is None:
            body["signature"] = ids.signature(str(body.get("thinking", "")))
        body["thinking"] = value
        return Part(body, {**body, "thinking": "", "signature": ""}, "thinking", value)
    if block.kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
        if body.get("id") is None:
            body["id"] = ids.new("toolu_" if block.kind == "tool_use" else "srvtoolu_")
        value = block.raw
        if value is None:
            value = json.dumps(body.get("input") or {}, ensure_ascii=False)
            value = "" if value == "{}" else value
        return Part(body, {**body, "input": {}}, "partial_json", value)
    return Part(body, body)


def _remember(parts: tuple[Part, ...], model: str, seen: Seen) -> None:
    signatures: list[str] = []
    for part in parts:
        kind = part.body.get("type")
        if kind == "thinking":
            signature = str(part.body["signature"])
            seen.thinking[signature] = SentThinking(str(part.body["thinking"]), model)
            signatures.append(signature)
        elif kind == "redacted_thinking":
            seen.redacted[str(part.body.get("data"))] = model
        elif kind == "tool_use":
            seen.turns[str(part.body["id"])] = tuple(signatures)


# --- steps --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Send:
    """Bytes of the body."""

    data: bytes


@dataclass(frozen=True)
class Wait:
    """A pause; None lasts until the client leaves."""

    seconds: float | None


@dataclass(frozen=True)
class End:
    """The response ends here: properly, with the connection reset, or with it just closed."""

    how: Literal["eof", "cut", "hangup"]


Step = Send | Wait | End


def event(name: str, data: Json, wire: Wire) -> bytes:
    """The bytes of one event."""
    dumped = json.dumps(
        {"type": name, **data},
        ensure_ascii=wire.ascii,
        separators=(",", ":"),
        indent=1 if wire.data_lines else None,
    )
    lines = [f"event: {name}"] if wire.event_lines else []
    gap = " " if wire.space else ""
    lines += [f"data:{gap}{line}" for line in dumped.split("\n")]
    extra = [": a comment", ""] if wire.comments else []
    return wire.newline.join([*extra, *lines, "", ""]).encode("utf-8", "surrogatepass")


def plan(message: Message, reply: Reply) -> Iterator[Step]:
    """The steps of a streamed response, without its head."""
    for step in _stream(message, reply):
        piece = reply.wire.piece
        if isinstance(step, Send) and piece:
            for at in range(0, len(step.data), piece):
                yield Send(step.data[at : at + piece])
        else:
            yield step
        if isinstance(step, End):
            return


def _stream(message: Message, reply: Reply) -> Iterator[Step]:
    wire, fault = reply.wire, reply.fault

    def strikes(place: int) -> Iterator[Step]:
        if fault is not None and fault.block == place and fault.chars is None:
            yield from _strike(fault, wire)

    opening = message.whole()
    opening.update(content=[], stop_reason=None, stop_sequence=None)
    opening.pop("stop_details", None)
    if message.usage_start is not None:
        opening["usage"] = message.usage_start
    yield Send(event("message_start", {"message": opening}, wire))
    yield Send(event("ping", {}, wire))
    for index, part in enumerate(message.parts):
        yield from strikes(index)
        if wire.unknown_events:
            yield Send(event("content_block_rumour", {"index": index, "note": "?"}, wire))
        yield Send(
            event("content_block_start", {"index": index, "content_block": part.start}, wire)
        )
        yield from _deltas(index, part, reply)
        yield Send(event("content_block_stop", {"index": index}, wire))
    yield from strikes(len(message.parts))
    delta: Json = {"stop_reason": message.stop_reason, "stop_sequence": message.stop_sequence}
    if message.stop_details is not None:
        delta["stop_details"] = message.stop_details
    ending: Json = {"delta": delta}
    if message.usage_end is not None:
        ending["usage"] = message.usage_end
    yield Send(event("message_delta", ending, wire))
    yield from strikes(len(message.parts) + 1)
    if wire.unknown_events:
        yield Send(event("message_epilogue", {"note": "?"}, wire))
    yield Send(event("message_stop", {}, wire))


def _deltas(index: int, part: Part, reply: Reply) -> Iterator[Step]:
    wire, fault = reply.wire, reply.fault
    at = None
    if fault is not None and fault.block == index and fault.chars is not None:
        at = min(fault.chars, len(part.text))
    pieces = [part.text] if at is None else [part.text[:at], part.text[at:]]
    for number, text in enumerate(pieces):
        if number and fault is not None:
            yield from _strike(fault, wire)
        size = reply.chunk or max(1, len(text))
        for start in range(0, len(text), size):
            if reply.delay:
                yield Wait(reply.delay)
            delta = part.delta(text[start : start + size])
            yield Send(event("content_block_delta", {"index": index, "delta": delta}, wire))
            if wire.pings:
                yield Send(event("ping", {}, wire))
    if part.body.get("type") == "thinking":
        signed: Json = {"type": "signature_delta", "signature": part.body["signature"]}
        yield Send(event("content_block_delta", {"index": index, "delta": signed}, wire))


def _strike(fault: Fault, wire: Wire) -> Iterator[Step]:
    if fault.kind == "stall":
        yield Wait(fault.seconds)
    elif fault.kind == "raw":
        yield Send(fault.data)
    elif fault.kind in ("cut", "eof", "hangup"):
        yield End(fault.kind)
    elif fault.kind == "sse_error":
        yield Send(event("error", {"error": fault.error}, wire))
        yield End("eof")
    elif fault.kind == "malformed_sse":
        start = f"event: content_block_delta{wire.newline}" if wire.event_lines else ""
        broken = '{"type":"content_block_delta","index":0,"delta":{"type":"text_d'
        yield Send(f"{start}data: {broken}{wire.newline}{wire.newline}".encode())
        yield End("eof")
