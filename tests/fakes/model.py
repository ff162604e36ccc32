"""A model that answers from a script, telling its events as the real client does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from anyio.lowlevel import checkpoint

from agent_tui.model.client import (
    BlockDone,
    FinishedBlock,
    ModelRequest,
    ModelResponse,
    Retrying,
    Sink,
    WireEvent,
)
from agent_tui.protocol.content import (
    ContentBlock,
    JsonObject,
    TextBlock,
    ToolUseBlock,
    block_to_json,
)
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.usage import Usage


@dataclass(frozen=True)
class Unreadable:
    """A tool call whose input is no JSON object."""

    name: str
    raw: str
    id: str = "bad"


Part: TypeAlias = str | ContentBlock | Unreadable
"""What a response is made of; a string is a text block."""


@dataclass(frozen=True)
class Said:
    """One answer. ``voided`` are the parts of a try that failed before it and was made again."""

    parts: tuple[Part, ...] = ()
    stop_reason: str | None = "end_turn"
    usage: Usage = field(default_factory=lambda: Usage(input_tokens=10, output_tokens=5))
    cut: str | None = None
    stop_details: JsonObject | None = None
    message_id: str | None = None
    voided: tuple[Part, ...] | None = None


def said(*parts: Part, stop_reason: str | None = None) -> Said:
    """Say these parts; the stop reason follows from them unless given."""
    calls = any(isinstance(part, ToolUseBlock | Unreadable) for part in parts)
    return Said(parts, stop_reason or ("tool_use" if calls else "end_turn"))


def call(name: str, call_id: str = "", /, **given: object) -> ToolUseBlock:
    """Call a tool; without an id it has that of its name."""
    return ToolUseBlock(call_id or f"id_{name}", name, dict(given))


@dataclass(frozen=True)
class Broken:
    """A request that fails for good, after these parts had been told."""

    error: ModelError
    parts: tuple[Part, ...] = ()


Step: TypeAlias = Said | Broken


class ScriptedModel:
    """Implements ``ModelClient``. Keeps the requests; ``between`` is waited for before each event.

    When the script is used up, ``last`` answers for ever; without one, that is a fault of the test.
    """

    def __init__(
        self,
        *script: Step,
        last: Step | None = None,
        between: Callable[[], Awaitable[None]] = checkpoint,
    ) -> None:
        self._script = list(script)
        self._last = last
        self._between = between
        self.requests: list[ModelRequest] = []

    async def respond(self, request: ModelRequest, sink: Sink) -> ModelResponse:
        """Play the next step."""
        self.requests.append(request)
        await self._between()
        step = self._script.pop(0) if self._script else self._last
        assert step is not None, "the script is used up"
        number = len(self.requests)
        if isinstance(step, Broken):
            await self._tell(request, sink, f"msg_{number}", step.parts, Usage())
            raise step.error
        message_id = f"msg_{number}" if step.message_id is None else step.message_id
        if step.voided is not None:
            await self._tell(request, sink, f"{message_id}_voided", step.voided, step.usage)
            await self._between()
            await sink(Retrying(1, 10, 500, 529, "overloaded", "The API is overloaded"))
        blocks = await self._tell(request, sink, message_id, step.parts, step.usage)
        if step.cut is None:
            for event in _end(step):
                await self._between()
                await sink(WireEvent(event))
        return ModelResponse(
            message_id,
            request.model,
            blocks,
            None if step.cut else step.stop_reason,
            step.usage,
            stop_details=step.stop_details,
            cut=step.cut,
            duration_ms=7,
        )

    async def warm_up(self) -> None:
        """Nothing is to be loaded."""

    async def aclose(self) -> None:
        """Nothing is held."""

    async def _tell(
        self,
        request: ModelRequest,
        sink: Sink,
        message_id: str,
        parts: tuple[Part, ...],
        usage: Usage,
    ) -> tuple[FinishedBlock, ...]:
        start: JsonObject = {"id": message_id, "model": request.model, "usage": usage.to_api()}
        await self._between()
        await sink(WireEvent({"type": "message_start", "message": start}))
        blocks: list[FinishedBlock] = []
        for index, part in enumerate(parts):
            done = _finished(part)
            for event in _events(index, done):
                await self._between()
                if event["type"] == "content_block_stop":
                    await sink(BlockDone(index, done.block, done.unparsed))
                    await self._between()
                await sink(WireEvent(event))
            blocks.append(done)
        return tuple(blocks)


def _end(step: Said) -> Iterator[JsonObject]:
    delta = {"stop_reason": step.stop_reason, "stop_details": step.stop_details}
    yield {"type": "message_delta", "delta": delta, "usage": step.usage.to_api()}
    yield {"type": "message_stop"}


def _finished(part: Part) -> FinishedBlock:
    if isinstance(part, str):
        return FinishedBlock(TextBlock(part))
    if isinstance(part, Unreadable):
        return FinishedBlock(ToolUseBlock(part.id, part.name, {}), part.raw)
    return FinishedBlock(part)


def _events(index: int, done: FinishedBlock) -> Iterator[JsonObject]:
    block = block_to_json(done.block)
    deltas: list[JsonObject] = []
    if isinstance(done.block, TextBlock):
        text = done.block.text
        block = {"type": "text", "text": ""}
        halves = (text[: len(text) // 2], text[len(text) // 2 :])
        deltas = [{"type": "text_delta", "text": half} for half in halves]
    elif isinstance(done.block, ToolUseBlock):
        raw = done.unparsed or json.dumps(done.block.input)
        block["input"] = dict[str, object]()
        deltas = [{"type": "input_json_delta", "partial_json": raw}]
    yield {"type": "content_block_start", "index": index, "content_block": block}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}
