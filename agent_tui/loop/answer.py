"""One model call: ask, tell what streams in, write each finished block, give the response.

What an interrupt finds half said is written as an aborted block, so that nothing a person has read is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import anyio

from agent_tui.journal.lines import OpenCall
from agent_tui.loop.record import Recorder
from agent_tui.model.client import (
    BlockDone,
    ModelClient,
    ModelEvent,
    ModelRequest,
    ModelResponse,
    Retrying,
    WireEvent,
)
from agent_tui.protocol.content import JsonObject, TextBlock, ToolUseBlock
from agent_tui.protocol.display import Display
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.usage import Usage

_TOKEN_CHARACTERS = 4

Preview: TypeAlias = Callable[[ToolUseBlock], Display | None]
"""How a call looks before it has run; None when there is nothing better than the call itself."""


@dataclass(frozen=True, slots=True)
class CallSeen:
    """A tool call as it was written: its block, raw input where unreadable, and its line."""

    block: ToolUseBlock
    unparsed: str | None
    line_uuid: str

    @classmethod
    def of(cls, call: OpenCall) -> CallSeen:
        """Give a call that stands in the conversation without a result."""
        block = ToolUseBlock(call.raw_id, call.name, call.input)
        return cls(block, call.unparsed, call.assistant_uuid)


@dataclass(slots=True)
class _Open:
    """The response while it streams."""

    message_id: str = ""
    model: str = ""
    usage: JsonObject | None = None
    text: list[str] = field(default_factory=list[str])
    text_open: bool = False  # until its block is written, so that nothing is lost between the two
    characters: int = 0
    blocks: int = 0
    wire_block: int | None = (
        None  # the block whose end has not been told to those who read the raw events
    )
    wire_open: bool = False
    ends_with_call: bool = False
    calls: list[CallSeen] = field(default_factory=list[CallSeen])
    said: list[str] = field(default_factory=list[str])


class Answer:
    """Listens to one model call; made anew for each."""

    def __init__(
        self, record: Recorder, request: ModelRequest, preview: Preview, *, partial: bool
    ) -> None:
        self._record = record
        self._request = request
        self._preview = preview
        self._partial = partial
        self._open = _Open()

    @property
    def calls(self) -> tuple[CallSeen, ...]:
        """The tool calls of the response, in order."""
        return tuple(self._open.calls)

    @property
    def ends_with_call(self) -> bool:
        """Whether the last block is a tool call: the one an output limit would have cut."""
        return self._open.ends_with_call

    @property
    def text(self) -> str:
        """The text of the last text block."""
        return self._open.said[-1] if self._open.said else ""

    @property
    def asked_model(self) -> str:
        """The model the request names."""
        return self._request.model

    def so_far(self) -> ModelResponse | None:
        """Give what an interrupted response has used, its output estimated; None when none had begun."""
        opened = self._open
        if not opened.message_id:
            return None
        usage = Usage.from_api(opened.usage)
        output = max(usage.output_tokens, opened.characters // _TOKEN_CHARACTERS)
        return ModelResponse(
            opened.message_id, opened.model, (), None, replace(usage, output_tokens=output)
        )

    async def ask(self, client: ModelClient) -> ModelResponse:
        """Make the call.

        Raises:
            ModelError: refused, or failed for good; what had been finished of the response is retracted.
        """
        try:
            response = await client.respond(self._request, self._hear)
            await self._end_wire(
                {"type": "message_stop"}
            )  # where the stream broke off, it lacks its end
            return response
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._keep_partial()
            raise
        except ModelError as error:
            await self._void(error.kind)
            raise

    async def _hear(self, event: ModelEvent) -> None:
        match event:
            case WireEvent(raw):
                self._note(raw)
                await self._pass_on(raw)
            case BlockDone():
                await self._write(event)
            case Retrying():
                await self._void(event.error)
                await self._record.retrying(event)

    def _note(self, raw: JsonObject) -> None:
        kind = raw.get("type")
        if kind == "message_start":
            message: JsonObject = raw.get("message") or {}
            self._open = _Open(
                str(message.get("id") or self._record.stamp.new_id()),
                str(message.get("model") or self._request.model),
                Usage.from_api(message.get("usage")).to_api(),
                wire_open=True,
            )
        elif kind == "content_block_start":
            block: JsonObject = raw.get("content_block") or {}
            self._open.wire_block = _index(raw)
            self._open.text_open = block.get("type") == "text"
            self._open.text = [str(block.get("text") or "")] if self._open.text_open else []
        elif kind == "content_block_delta":
            delta: JsonObject = raw.get("delta") or {}
            texts = (delta.get(key) for key in ("text", "thinking", "partial_json"))
            self._open.characters += sum(len(text) for text in texts if isinstance(text, str))
            if self._open.text_open:
                self._open.text.append(str(delta.get("text") or ""))
        elif kind == "content_block_stop":
            self._open.wire_block = None
        elif kind == "message_stop":
            self._open.wire_open = False

    async def _pass_on(self, raw: JsonObject) -> None:
        if self._partial:
            await self._record.stream_event(raw)

    async def end_stream(self) -> None:
        """Tell those who read the raw events the end of a response that was interrupted."""
        delta: JsonObject = {"stop_reason": None, "stop_sequence": None}
        usage: JsonObject = self._open.usage or {}
        await self._end_wire({"type": "message_delta", "delta": delta, "usage": usage})

    async def _end_wire(self, last: JsonObject) -> None:
        """Tell the ends that are still missing: the open block's, and ``last``."""
        opened = self._open
        if not opened.wire_open:
            return
        opened.wire_open = False
        if opened.wire_block is not None:
            index, opened.wire_block = opened.wire_block, None
            await self._pass_on({"type": "content_block_stop", "index": index})
        await self._pass_on(last)

    async def _write(self, done: BlockDone) -> None:
        done = self._with_own_id(done)
        block = done.block
        self._open.text_open = False
        self._open.ends_with_call = isinstance(block, ToolUseBlock)
        uuid = await self._record.block(
            done,
            message_id=self._open.message_id,
            model=self._open.model,
            asked_model=self._request.model,
            usage=self._open.usage,
            display=self._preview(block) if isinstance(block, ToolUseBlock) else None,
        )
        self._open.blocks += 1
        if isinstance(block, ToolUseBlock):
            self._open.calls.append(CallSeen(block, done.unparsed, uuid))
        elif isinstance(block, TextBlock):
            self._open.said.append(block.text)

    def _with_own_id(self, done: BlockDone) -> BlockDone:
        """Give a call an id that is unique in the session: some servers send none, or the same one twice."""
        block = done.block
        if not isinstance(block, ToolUseBlock):
            return done
        own = self._record.conversation.next_call_id(block.id, self._open.message_id)
        return done if own == block.id else replace(done, block=replace(block, id=own))

    async def _void(self, reason: str) -> None:
        """What was told of a failed try does not count."""
        tried = self._open
        self._open = _Open(wire_block=tried.wire_block, wire_open=tried.wire_open)
        if tried.blocks:
            await self._record.retract(tried.message_id, reason)
        await self._end_wire({"type": "message_stop"})

    async def _keep_partial(self) -> None:
        text = "".join(self._open.text)
        if self._open.text_open and text.strip():
            await self._record.block(
                BlockDone(self._open.blocks, TextBlock(text)),
                message_id=self._open.message_id,
                model=self._open.model,
                asked_model=self._request.model,
                usage=self._open.usage,
                aborted=True,
            )


def _index(raw: JsonObject) -> int:
    value = raw.get("index")
    return value if isinstance(value, int) else 0
