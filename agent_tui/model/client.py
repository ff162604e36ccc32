"""What the loop asks of a model: one request, its events told to a sink as they come, one response back.

A function with a sink, not an iterator: nothing of ours spans a ``yield`` (ARCHITECTURE.md, tasks, law 1).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from agent_tui.protocol.content import ContentBlock, JsonObject
from agent_tui.protocol.usage import Usage


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request in the API's shapes. Built by ``context/request.py``, and by ``loop/classifier.py`` for its own.

    ``extra`` holds further body fields (``thinking``, ``output_config`` …). ``overloads`` is how many overloaded
    tries in a row are enough to give up, because another model can be asked; None goes by the retries alone.
    """

    model: str
    max_tokens: int
    system: tuple[JsonObject, ...]
    messages: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...] = ()
    extra: JsonObject = field(default_factory=dict[str, Any])
    overloads: int | None = None


@dataclass(frozen=True, slots=True)
class WireEvent:
    """An event of the stream as it came, pings left out."""

    event: JsonObject


@dataclass(frozen=True, slots=True)
class BlockDone:
    """A content block is finished; told before the event that ends it. ``unparsed`` holds a tool input that is no JSON object; the block's is then ``{}``.

    A ``tool_use`` told here is not to be run before ``respond`` has returned.
    """

    index: int
    block: ContentBlock
    unparsed: str | None = None


@dataclass(frozen=True, slots=True)
class Retrying:
    """The request failed and is made again after ``delay_ms``; what was told of the failed try is void.

    ``attempt`` counts from 1; ``status`` None means that no response came; ``error`` is the documented word,
    ``reason`` a sentence for the person.
    """

    attempt: int
    max_retries: int
    delay_ms: int
    status: int | None
    error: str
    reason: str


ModelEvent: TypeAlias = WireEvent | BlockDone | Retrying
Sink: TypeAlias = Callable[[ModelEvent], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class FinishedBlock:
    """A block of a response and, for a tool call that could not be read, its raw input."""

    block: ContentBlock
    unparsed: str | None = None


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """A response that ended. ``stop_reason`` is the API's word, None or unknown ones included.

    ``cut`` holds a sentence when the stream broke after a block had been finished: the finished blocks count, the
    rest is lost (and ``stop_reason`` is None). Durations in milliseconds.
    """

    message_id: str
    model: str
    blocks: tuple[FinishedBlock, ...]
    stop_reason: str | None
    usage: Usage
    stop_sequence: str | None = None
    stop_details: JsonObject | None = None
    cut: str | None = None
    duration_ms: int = 0
    request_id: str | None = None


class ModelClient(Protocol):
    """A model that can be asked. Implementations: ``anthropic_client.AnthropicClient``, test doubles."""

    async def respond(self, request: ModelRequest, sink: Sink) -> ModelResponse:
        """Ask, tell every event to ``sink`` in order, give the response.

        Cancelling closes the connection. Tool calls in the response are complete.

        Raises:
            ModelError: refused, or failed for good after the retries.
        """
        ...

    async def warm_up(self) -> None:
        """Load what the first request needs; never fails, never touches the network."""
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...
