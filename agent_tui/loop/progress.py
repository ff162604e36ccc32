"""What a run has come to so far, and the result that is made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import anyio

from agent_tui.journal.fold import Conversation
from agent_tui.model.client import ModelResponse
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import ResultMessage, ResultSubtype
from agent_tui.protocol.usage import Usage


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends; the fields are the result's.

    ``is_error`` None follows from the subtype, ``stop_reason`` None from the last response. ``put_off`` is the call
    that a hook put off (``id``, ``name``, ``input``).
    """

    subtype: ResultSubtype = "success"
    text: str = ""
    terminal: str = "completed"
    is_error: bool | None = None
    errors: tuple[str, ...] | None = None
    status: int | None = None
    structured: Any = None
    stop_reason: str | None = None
    put_off: JsonObject | None = None


def failed(text: str, terminal: str = "model_error") -> Ending:
    """End with ``error_during_execution``."""
    return Ending("error_during_execution", terminal=terminal, errors=(text,))


@dataclass(slots=True)
class Progress:
    """Counters of one run. ``text`` is the last text the model said, ``stop_reason`` why it stopped last."""

    prompt_uuid: str
    cost_before: float | None
    origin: JsonObject | None = None
    started: float = field(default_factory=anyio.current_time)
    responses: int = 0
    tool_turns: int = 0
    api_ms: int = 0
    usage: Usage = field(default_factory=Usage)
    stop_reason: str | None = None
    text: str = ""

    def responded(self, response: ModelResponse, text: str) -> None:
        """Count a response."""
        self.responses += 1
        self.api_ms += response.duration_ms
        self.usage += response.usage
        self.stop_reason = response.stop_reason
        self.text = text

    def result(
        self,
        ending: Ending,
        conversation: Conversation,
        denials: tuple[JsonObject, ...],
        uuids: tuple[str, ...],
    ) -> ResultMessage:
        """Make the result. ``uuids`` name the prompts that the run took in."""
        total, before = conversation.total_cost_usd, self.cost_before
        success = ending.subtype == "success"
        return ResultMessage(
            subtype=ending.subtype,
            duration_ms=round((anyio.current_time() - self.started) * 1000),
            duration_api_ms=self.api_ms,
            is_error=not success if ending.is_error is None else ending.is_error,
            num_turns=self.responses,
            session_id=conversation.session_id,
            stop_reason=ending.stop_reason or self.stop_reason,
            total_cost_usd=total,
            usage=self.usage.to_api(),
            result=ending.text if success else None,
            structured_output=ending.structured,
            model_usage={name: used.to_json() for name, used in conversation.model_usage.items()},
            permission_denials=denials,
            errors=ending.errors,
            api_error_status=ending.status,
            terminal_reason=ending.terminal,
            user_message_uuid=self.prompt_uuid,
            user_message_uuids=uuids or (self.prompt_uuid,),
            origin=self.origin,
            deferred_tool_use=ending.put_off,
            cost_usd=None if total is None or before is None else total - before,
        )
