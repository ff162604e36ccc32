"""A program's ``can_use_tool`` as the session's approver: our question in its words, its answer in ours."""

from __future__ import annotations

import logging
from typing import Any, cast

from agent_tui.protocol.messages import PERMISSION_MODES
from agent_tui.protocol.requests import Allow, Deny, PermissionAnswer, PermissionRequest
from agent_tui.protocol.requests import PermissionRuleValue as OurRule
from agent_tui.protocol.requests import PermissionUpdate as OurUpdate
from agent_tui.sdk.permissions import (
    CanUseTool,
    PermissionMode,
    PermissionResultAllow,
    PermissionResultDeny,
    PermissionRuleValue,
    PermissionUpdate,
    ToolPermissionContext,
)

_log = logging.getLogger(__name__)


class ProgramApprover:
    """Asks the program. What it answers wrongly, or a fault of it, is a denial that says so."""

    def __init__(self, can_use_tool: CanUseTool) -> None:
        self._can_use_tool = can_use_tool

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        """Give the program's answer."""
        try:
            given: Any = await self._can_use_tool(
                request.tool_name, dict(request.input), context_of(request)
            )
        except Exception as error:  # boundary: a fault of a program's callback is a denial
            _log.exception("can_use_tool failed")
            text = f"{type(error).__name__}: {error}".rstrip(": ")
            return Deny(f"The call was not run: asking for permission failed with {text}")
        return _answer(given)


def context_of(request: PermissionRequest) -> ToolPermissionContext:
    """Tell a callback what the question is about."""
    return ToolPermissionContext(
        suggestions=[_update(update) for update in request.suggestions],
        tool_use_id=request.tool_use_id,
        agent_id=request.agent_id,
        blocked_path=request.blocked_path,
        decision_reason=request.reason or None,
        title=request.title or None,
        display_name=request.tool_name,
        description=request.says,
    )


def _answer(given: Any) -> PermissionAnswer:
    match given:
        case PermissionResultAllow(updated_input=changed, updated_permissions=updates):
            if changed is not None and not isinstance(changed, dict):
                return _wrong("updated_input must be a dictionary")
            return Allow(changed, _taken(updates))
        case PermissionResultDeny(message=message, interrupt=interrupt):
            return Deny(str(message or ""), bool(interrupt))
        case _:
            kind = type(given).__name__
            return _wrong(
                f"it must give PermissionResultAllow or PermissionResultDeny, it gave {kind}"
            )


def _wrong(what: str) -> Deny:
    return Deny(f"The call was not run: can_use_tool answered wrongly, {what}.")


def _taken(updates: list[PermissionUpdate] | None) -> tuple[OurUpdate, ...]:
    """Read the updates of an answer; one that can't be used voids them all, the call is still allowed."""
    try:
        return tuple(_ours(update) for update in updates or ())
    except (ValueError, TypeError, AttributeError) as error:
        _log.warning("updated_permissions were left out: %s", error)
        return ()


def _ours(update: PermissionUpdate) -> OurUpdate:
    record = update.to_dict()  # has what its type needs
    mode = record.get("mode")
    if mode is not None and mode not in PERMISSION_MODES:
        raise ValueError(f"the mode {mode} can't be set")
    return OurUpdate(
        type=update.type,
        rules=tuple(OurRule(rule.tool_name, rule.rule_content) for rule in update.rules or ()),
        behavior=update.behavior or "allow",
        mode=mode,
        directories=tuple(map(str, update.directories or ())),
        destination=update.destination or "session",
    )


def _update(update: OurUpdate) -> PermissionUpdate:
    rules = "Rules" in update.type
    return PermissionUpdate(
        type=update.type,
        rules=[PermissionRuleValue(rule.tool_name, rule.rule_content) for rule in update.rules]
        if rules
        else None,
        behavior=update.behavior if rules else None,
        mode=cast("PermissionMode | None", update.mode),
        directories=list(update.directories) if "Directories" in update.type else None,
        destination=update.destination,
    )
