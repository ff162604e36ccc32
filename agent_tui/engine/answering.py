"""A program's answers to permission requests: the changes they bring are carried out, as the desk does for a person."""

from __future__ import annotations

from agent_tui.loop.approvals import Approver
from agent_tui.loop.decisions import ByProgram
from agent_tui.loop.permission import Apply
from agent_tui.protocol.requests import Allow, PermissionAnswer, PermissionRequest


class Answering(ByProgram):
    """Implements ``Approver`` around a program's own."""

    def __init__(self, approver: Approver, apply: Apply) -> None:
        self._approver = approver
        self._apply = apply

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        """Give the program's answer; what it changes is in force by then."""
        answer = await self._approver.decide(request)
        if isinstance(answer, Allow) and answer.updated_permissions:
            await self._apply(answer.updated_permissions)
        return answer
