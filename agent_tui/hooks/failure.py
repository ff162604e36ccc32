"""A hook that gave no usable answer: what happened, in words, and whether what it guards may go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.hooks.configured import CallbackHook, CommandHook, Hook
from agent_tui.hooks.events import EVENTS
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.requests import Deny
from agent_tui.settings.schema import HookFailures

Kind: TypeAlias = Literal["start", "timeout", "killed", "output", "exit", "raised"]
"""It could not start, ran out of time, was killed, gave broken output, ended with another exit code, raised."""

TELLS_NOTHING = frozenset({"start", "timeout", "killed", "output"})
"""Ends that are no answer at all. Any other exit code is documented as a fault that blocks nothing."""

NEVER_ANSWERED = frozenset({"start", "timeout"})
"""Ends of a program's function that no ``on_failure`` takes for consent."""


@dataclass(frozen=True, slots=True)
class Failure:
    """How a hook failed. ``what`` follows its name: ``could not start: …``."""

    kind: Kind
    what: str


def blocks(event: HookEvent, hook: Hook, failure: Failure, setting: HookFailures | None) -> bool:
    """Tell whether a failure keeps what is guarded from going on.

    A callback's own ``on_failure`` goes before the setting; a guard that can't be asked or runs out of time blocks all
    the same, since a callback that never answers has not agreed.
    """
    row = EVENTS[event]
    if not row.can_guard:
        return False
    if isinstance(hook, CallbackHook):
        if row.guards and failure.kind in NEVER_ANSWERED:
            return True
        return (hook.on_failure or setting) == "block"
    if setting is not None:
        return setting == "block"
    return row.guards and failure.kind in TELLS_NOTHING


def named(event: HookEvent, match: str, hook: Hook) -> str:
    """Name a hook for a person: ``PreToolUse:Bash hook (./check.sh)``."""
    what = f"{event}:{match}" if match else event
    how = hook.shown if isinstance(hook, CommandHook) else "a function of the program"
    return f"{what} hook ({how})"


def told(event: HookEvent, match: str, hook: Hook, failure: Failure, *, blocked: bool) -> str:
    """Say to the person what happened and what came of it."""
    end = "What it guards was not let through." if blocked else "It was taken for no answer."
    return f"{named(event, match, hook)} {failure.what} {end}"


def way_out(hook: Hook) -> str:
    """Say how to be rid of a hook, as a sentence; empty for the program's own."""
    if not isinstance(hook, CommandHook) or not hook.path:
        return ""
    off = ', or set "disableAllHooks": true' if hook.source != "Managed" else ""
    return f"It stands in {hook.path}: mend it or take it out there{off}."


def refusal(event: HookEvent, hook: Hook, failure: Failure) -> HookOutcome:
    """What a blocking failure comes to, in the words of the event."""
    text = (
        f"A hook that guards this could not answer: it {failure.what} So it was not let through. "
        "The person has been told how to mend it; don't try to reach the same by another way."
    )
    if "permissionDecision" in EVENTS[event].says:
        return HookOutcome(behavior="deny", reason=text, source=hook.source)
    if event == "PermissionRequest":
        return HookOutcome(answer=Deny(text), source=hook.source)
    return HookOutcome(blocked=text, source=hook.source)
