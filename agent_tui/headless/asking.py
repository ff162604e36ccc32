"""Permission requests answered by the program that has started us (``can_use_tool``).

Where it can't answer, or its answer can't be read, the call is denied.
"""

from __future__ import annotations

from typing import Any, cast

from agent_tui.headless.calls import HostCalls
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import LinkError
from agent_tui.protocol.requests import Allow, Deny, PermissionAnswer, PermissionRequest
from agent_tui.protocol.updates import update_from_json, update_to_json

STDIO = "stdio"
"""The ``--permission-prompt-tool`` that stands for the control channel."""


class HostApprover:
    """An ``Approver`` that asks the program."""

    def __init__(self, calls: HostCalls) -> None:
        self._calls = calls

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        """Ask and give the answer; no answer is a denial."""
        try:
            return read_answer(await self._calls.ask(question(request)), request)
        except (LinkError, ValueError) as error:
            return Deny(f"This call needs an approval, and none could be had: {error}")


def question(request: PermissionRequest) -> JsonObject:
    """Give the documented request."""
    asked: JsonObject = {
        "subtype": "can_use_tool",
        "tool_name": request.tool_name,
        "display_name": request.tool_name,
        "input": request.input,
        "tool_use_id": request.tool_use_id,
        "permission_suggestions": [update_to_json(update) for update in request.suggestions],
        "title": request.title,
        "decision_reason": request.reason,
    }
    optional = {
        "description": request.says,
        "blocked_path": request.blocked_path,
        "agent_id": request.agent_id,
    }
    return {**asked, **{key: value for key, value in optional.items() if value}}


def read_answer(response: JsonObject, request: PermissionRequest) -> PermissionAnswer:
    """Read the documented answer.

    Raises:
        ValueError: it is none.
    """
    match response.get("behavior"):
        case "allow":
            changed: Any = response.get("updatedInput")
            if changed is not None and not isinstance(changed, dict):
                raise ValueError("updatedInput must be an object")
            updates: Any = response.get("updatedPermissions")
            if updates is not None and not isinstance(updates, list):
                raise ValueError("updatedPermissions must be a list")
            return Allow(
                None if changed == request.input else cast("JsonObject | None", changed),
                tuple(update_from_json(update) for update in cast("list[Any]", updates or [])),
            )
        case "deny":
            return Deny(str(response.get("message") or ""), response.get("interrupt") is True)
        case other:
            raise ValueError(f"the answer must allow or deny, not {other!r}")
