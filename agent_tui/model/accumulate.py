"""The events of one response to its finished blocks and the response itself.

A message has ended when ``message_stop`` came, and only then. What this version doesn't know is passed over
(events, deltas of known blocks) or kept (blocks), never an error: the wire may always say more than we understand.
"""

from __future__ import annotations

import json
from typing import Any, cast

from agent_tui.model.client import BlockDone, FinishedBlock, ModelResponse
from agent_tui.model.sse import SseEvent
from agent_tui.protocol.content import (
    ContentBlock,
    JsonObject,
    RedactedThinkingBlock,
    TextBlock,
    ThinkingBlock,
    block_from_json,
)
from agent_tui.protocol.surrogates import mended
from agent_tui.protocol.usage import Usage

_KNOWN = frozenset({"text", "thinking", "redacted_thinking", "tool_use"})
_OBJECTS = {
    "message_start": "message",
    "content_block_start": "content_block",
    "content_block_delta": "delta",
    "message_delta": "delta",
}
_DELTA_TEXTS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "input_json_delta": "partial_json",
}
_TEXTS = {"text": ("text",), "thinking": ("thinking", "signature")}


def read_event(sse: SseEvent) -> JsonObject:
    """Give the event's JSON with its ``type``; the ``event:`` line is only asked where the JSON has none.

    Raises:
        ValueError: the data is no JSON object.
    """
    if sse.data.strip() == "[DONE]":
        # the end mark of another API, which gateways like to add
        return {"type": "ping"}
    value = _parse_object(sse.data)
    if value is None:
        raise ValueError(f"not a JSON object: {sse.data[:80]}")
    if not isinstance(value.get("type"), str):
        value["type"] = sse.name or ("error" if "error" in value else "")
    return value


def well_shaped(event: JsonObject) -> bool:
    """Tell whether the event's object is one, and a delta's text a text: listeners rely on it."""
    name = _OBJECTS.get(event["type"])
    if name is None:
        return True
    inner = event.get(name)
    if not isinstance(inner, dict):
        return False
    given = cast("JsonObject", inner)
    text = _DELTA_TEXTS.get(str(given.get("type")))
    return text is None or isinstance(given.get(text), str)


class Accumulator:
    """Folds the events of one stream.

    Attributes:
        started: ``message_start`` came.
        ended: ``message_stop`` came.
        error: the ``error`` object of an error event, None if there was none.
        blocks: what is finished, in the order in which it was.
    """

    def __init__(self) -> None:
        self.started = False
        self.ended = False
        self.error: JsonObject | None = None
        self.blocks: list[FinishedBlock] = []
        self._open: dict[int, _OpenBlock] = {}
        self._id = ""
        self._model = ""
        self._usage: JsonObject = {}
        self._stop: JsonObject = {}

    def apply(self, event: JsonObject) -> tuple[BlockDone, ...]:
        """Take one event; give the blocks that it finished."""
        match event.get("type"):
            case "message_start":
                self._start(_object(event.get("message")))
            case "content_block_start":
                index, raw = _index(event), _object(event.get("content_block"))
                done = self._finish(index)
                self._open[index] = _OpenBlock(raw)
                return done
            case "content_block_delta":
                self._delta(_index(event), _object(event.get("delta")))
            case "content_block_stop":
                return self._finish(_index(event))
            case "message_delta":
                self._stop = _object(event.get("delta"))
                self._count(event.get("usage"))
            case "message_stop":
                self.ended = True
                # some gateways leave the stop events of blocks out
                return tuple(one for index in sorted(self._open) for one in self._finish(index))
            case "error":
                error = event.get("error")
                self.error = {"message": error} if isinstance(error, str) else _object(error)
            case _:
                pass
        return ()

    @property
    def spoken(self) -> bool:
        """Whether something is finished that must not be asked for twice: text, a tool call, anything but thought."""
        return any(not _is_thought(finished.block) for finished in self.blocks)

    @property
    def hollow(self) -> bool:
        """Whether the message says nothing at all, not even why it ended or what it cost."""
        nothing_said = not self.blocks and self._stop.get("stop_reason") is None
        return nothing_said or (not self.blocks and not self.usage.total_tokens)

    @property
    def usage(self) -> Usage:
        """The counts as last told."""
        return Usage.from_api(self._usage)

    def response(
        self, *, cut: str | None = None, duration_ms: int = 0, request_id: str | None = None
    ) -> ModelResponse:
        """Give the response as far as it came; with ``cut`` it has no stop reason."""
        stop: JsonObject = {} if cut else self._stop
        details = stop.get("stop_details")
        return ModelResponse(
            message_id=self._id,
            model=self._model,
            blocks=tuple(self.blocks),
            stop_reason=_text(stop.get("stop_reason")),
            usage=self.usage,
            stop_sequence=_text(stop.get("stop_sequence")),
            stop_details=_object(details) if details else None,
            cut=cut,
            duration_ms=duration_ms,
            request_id=request_id,
        )

    def _start(self, message: JsonObject) -> None:
        self.started = True
        self._id = str(message.get("id") or "")
        self._model = str(message.get("model") or "")
        self._count(message.get("usage"))

    def _count(self, usage: Any) -> None:
        # counts are cumulative; null means "as before"
        self._usage.update(
            {key: value for key, value in _object(usage).items() if value is not None}
        )

    def _delta(self, index: int, delta: JsonObject) -> None:
        block = self._open.get(index)
        if block is None:
            if delta.get("type") != "text_delta":
                return
            block = self._open[index] = _OpenBlock({"type": "text", "text": ""})
        block.add(delta)

    def _finish(self, index: int) -> tuple[BlockDone, ...]:
        block = self._open.pop(index, None)
        if block is None:
            return ()
        finished, unparsed = block.finish()
        self.blocks.append(FinishedBlock(finished, unparsed))
        return (BlockDone(index, finished, unparsed),)


class _OpenBlock:
    """A block that still grows. Text is kept in parts: joining at each delta would cost the square of its length."""

    def __init__(self, raw: JsonObject) -> None:
        self._raw = {**raw, "type": str(raw.get("type"))}
        self._parts: dict[str, list[str]] = {}

    def add(self, delta: JsonObject) -> None:
        match delta.get("type"):
            case "text_delta":
                self._grow("text", delta.get("text"))
            case "thinking_delta":
                self._grow("thinking", delta.get("thinking"))
            case "signature_delta":
                self._grow("signature", delta.get("signature"))
            case "input_json_delta":
                self._grow("partial_json", delta.get("partial_json"))
            case _ if self._raw["type"] not in _KNOWN:
                self._raw.update({key: value for key, value in delta.items() if key != "type"})
            case _:
                pass

    def finish(self) -> tuple[ContentBlock, str | None]:
        raw, unparsed = self._raw, None
        for key in _TEXTS.get(str(raw.get("type")), ()):
            raw[key] = _text(raw.get(key)) or ""
        for key, parts in self._parts.items():
            if key != "partial_json":
                raw[key] = mended(f"{raw.get(key) or ''}{''.join(parts)}")
        text = mended("".join(self._parts.get("partial_json", ())))
        if text.strip():
            value = _parse_object(text)
            unparsed = text if value is None else None
            raw["input"] = value or {}
        return block_from_json(raw), unparsed

    def _grow(self, key: str, value: Any) -> None:
        if isinstance(value, str):
            self._parts.setdefault(key, []).append(value)


def _parse_object(text: str) -> JsonObject | None:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    if "\\u" in text:
        value = json.loads(mended(json.dumps(value, ensure_ascii=False)))
    return cast("JsonObject", value) if isinstance(value, dict) else None


def _refuse_constant(name: str) -> Any:
    # Python reads NaN and Infinity, but no API takes them back
    raise ValueError(f"{name} is not JSON")


def _is_thought(block: ContentBlock) -> bool:
    return isinstance(block, ThinkingBlock | RedactedThinkingBlock) or (
        isinstance(block, TextBlock) and not block.text.strip()
    )


def _object(value: Any) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _index(event: JsonObject) -> int:
    value = event.get("index")
    return value if isinstance(value, int) else 0
