"""Hook events and what the hooks of one event, folded together, want.

Which fields count for which event is said by ``hooks/events.py``; fields an event does not know stay at their usual
values. Names and meanings follow reference/hooks.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.requests import PermissionAnswer

HookEvent: TypeAlias = Literal[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionRequest",
    "PermissionDenied",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Notification",
    "TaskCreated",
    "TaskCompleted",
    "InstructionsLoaded",
    "CwdChanged",
    "PreModelSwitch",
    "PostModelSwitch",
]
"""The events that are fired here."""

HookBehavior: TypeAlias = Literal["allow", "deny", "ask", "defer"]


@dataclass(frozen=True, slots=True)
class HookOutcome:
    """What all hooks of one event want, folded: the strictest decision wins, texts add up.

    Attributes:
        behavior: deny beats defer beats ask beats allow; None leaves it to the rules.
        reason: of the deciding hook; for the model on deny, for the person on ask and allow.
        source: which hook decided, e.g. ``User`` or ``Program``; empty without a decision.
        updated_input: the whole changed input of a call.
        updated_output: what the model gets instead of a tool's result.
        additional_context: texts for the model, placed where the event happened.
        blocked: why the event's action must not go on (``decision: block``, exit code 2), None if it may.
        stop: why the run ends after this event (``continue: false``); empty when no reason was given, None to go on.
        answer: a PermissionRequest hook's answer in the person's stead.
        title: a title for the session.
        initial_prompt: a first prompt, from SessionStart with ``-p``.
        retry: a PermissionDenied hook lets the model try again.
    """

    behavior: HookBehavior | None = None
    reason: str = ""
    source: str = ""
    updated_input: JsonObject | None = None
    updated_output: Any = None
    additional_context: tuple[str, ...] = field(default_factory=tuple[str, ...])
    blocked: str | None = None
    stop: str | None = None
    answer: PermissionAnswer | None = None
    title: str = ""
    initial_prompt: str = ""
    retry: bool = False


NOTHING = HookOutcome()
"""No hook had anything to say."""
