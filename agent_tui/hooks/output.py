"""What one hook said: its JSON checked and read by event (reference/hooks.md, sections 4 to 6).

A value of the wrong kind makes the whole output unusable: a guard that says ``"permissionDecision": "Deny"`` has not
consented. Keys nobody knows are no fault.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from agent_tui.hooks.events import EVENTS
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import NOTHING, HookBehavior, HookEvent, HookOutcome
from agent_tui.protocol.requests import Allow, Deny, PermissionAnswer
from agent_tui.protocol.updates import update_from_json


@dataclass(frozen=True, slots=True)
class Said:
    """What a hook wants, and its warning for the person (``systemMessage``)."""

    outcome: HookOutcome = NOTHING
    warning: str = ""


SILENT = Said()


class BadOutputError(ValueError):
    """The output is not as documented; the text says where."""


def _is(kind: type[Any], *, but: type[Any] | None = None) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind) and not (but and isinstance(value, but))


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "continue": (_is(bool), "true or false"),
    "async": (_is(bool), "true or false"),
    "suppressOutput": (_is(bool), "true or false"),
    "stopReason": (_is(str), "text"),
    "systemMessage": (_is(str), "text"),
    "reason": (_is(str), "text"),
    "decision": (lambda value: value in ("approve", "block"), '"block"'),
    "hookSpecificOutput": (_is(dict), "an object"),
}
_SPECIFIC: dict[str, tuple[Callable[[Any], bool], str]] = {
    "hookEventName": (_is(str), "text"),
    "permissionDecision": (
        lambda value: value in ("allow", "deny", "ask", "defer"),
        "allow, deny, ask or defer",
    ),
    "permissionDecisionReason": (_is(str), "text"),
    "updatedInput": (_is(dict), "an object"),
    "additionalContext": (_is(str), "text"),
    "sessionTitle": (_is(str), "text"),
    "initialUserMessage": (_is(str), "text"),
    "suppressOriginalPrompt": (_is(bool), "true or false"),
    "retry": (_is(bool), "true or false"),
    "decision": (_is(dict), "an object"),
}
_PYTHON_NAMES = {"continue_": "continue", "async_": "async"}
_ALSO = {"SubagentStop": "Stop"}
"""A sub-agent's own Stop hook answers by the name it was written under."""


def read_output(event: HookEvent, data: Any, source: str, tool_name: str = "") -> Said:
    """Read a hook's output object.

    Args:
        event: what it answers.
        data: the object; ``continue_`` and ``async_`` are accepted.
        source: whose hook it is.
        tool_name: the tool, for events about a call.

    Raises:
        BadOutputError: it is not as documented.
    """
    if not isinstance(data, dict):
        raise BadOutputError("the output must be an object")
    named = {_PYTHON_NAMES.get(k, k): v for k, v in cast("JsonObject", data).items()}
    given = _checked(named, _KINDS, "")
    if given.get("async"):
        return SILENT
    specific = _specific(event, given)
    outcome = _decided(event, given, specific, source)
    outcome = replace(
        outcome,
        updated_input=specific.get("updatedInput"),
        updated_output=_updated_output(specific, tool_name),
        additional_context=_some(specific.get("additionalContext")),
        stop=given.get("stopReason", "") if given.get("continue") is False else None,
        title=specific.get("sessionTitle", ""),
        initial_prompt=specific.get("initialUserMessage", ""),
        retry=specific.get("retry", False),
    )
    return Said(outcome, given.get("systemMessage", ""))


def plain_output(event: HookEvent, text: str) -> Said:
    """Read output that is no JSON: text for the model at some events, else nothing."""
    if EVENTS[event].plain and text.strip():
        return Said(HookOutcome(additional_context=(text.strip(),)))
    return SILENT


def _checked(
    given: JsonObject, kinds: dict[str, tuple[Callable[[Any], bool], str]], where: str
) -> JsonObject:
    found = {key: value for key, value in given.items() if value is not None}
    for key, (fits, wanted) in kinds.items():
        if key in found and not fits(found[key]):
            raise BadOutputError(f"{where}{key} must be {wanted}, not {_short(found[key])}")
    return found


def _specific(event: HookEvent, given: JsonObject) -> JsonObject:
    raw = cast("JsonObject", given.get("hookSpecificOutput", {}))
    said = _checked(raw, _SPECIFIC, "hookSpecificOutput.")
    name = said.get("hookEventName", event)
    if name not in (event, _ALSO.get(event)):
        raise BadOutputError(f"hookSpecificOutput is for {name}, but the event is {event}")
    says = EVENTS[event].says
    return {key: value for key, value in said.items() if key in says}


def _decided(event: HookEvent, given: JsonObject, specific: JsonObject, source: str) -> HookOutcome:
    decision, reason = given.get("decision"), given.get("reason", "")
    if event == "PermissionRequest":
        answer = _answer(specific.get("decision"))
        return HookOutcome(answer=answer, source=source if answer else "")
    if "permissionDecision" in EVENTS[event].says:
        behavior: HookBehavior | None = specific.get("permissionDecision")
        why = specific.get("permissionDecisionReason", "")
        if behavior is None and decision is not None:  # the older way to say it
            behavior, why = ("deny" if decision == "block" else "allow"), reason
        return HookOutcome(behavior, why or reason, source) if behavior else NOTHING
    if decision == "block" and EVENTS[event].blocks:
        return HookOutcome(blocked=reason.strip() or f"A {event} hook blocked it.", source=source)
    return NOTHING


def _answer(data: JsonObject | None) -> PermissionAnswer | None:
    if data is None:
        return None
    message, interrupt = data.get("message", ""), data.get("interrupt", False)
    changed: Any = data.get("updatedInput")
    updates: Any = data.get("updatedPermissions", [])
    match data.get("behavior"):
        case "allow":
            if not (changed is None or isinstance(changed, dict)) or not isinstance(updates, list):
                raise BadOutputError("decision: updatedInput or updatedPermissions is malformed")
            try:
                read = tuple(map(update_from_json, cast("list[Any]", updates)))
            except ValueError as error:
                raise BadOutputError(f"decision.updatedPermissions: {error}") from error
            return Allow(cast("JsonObject | None", changed), read)
        case "deny":
            if not isinstance(message, str) or not isinstance(interrupt, bool):
                raise BadOutputError("decision: message must be text, interrupt true or false")
            return Deny(message, interrupt)
        case other:
            raise BadOutputError(f"decision.behavior must be allow or deny, not {_short(other)}")


def _updated_output(specific: JsonObject, tool_name: str) -> Any:
    if "updatedToolOutput" in specific:
        return specific["updatedToolOutput"]
    return specific.get("updatedMCPToolOutput") if tool_name.startswith("mcp__") else None


def _some(text: str | None) -> tuple[str, ...]:
    return (text.strip(),) if text and text.strip() else ()


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
