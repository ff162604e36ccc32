"""Who answers when a call must be asked: the Desk (a person), a program's callback, or nobody.

No lock is held while an answer is waited for. A request that is no longer wanted (interrupt, sub-agent ended) is
withdrawn by its own cancelled task, so a dead question can't exist.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import anyio

from agent_tui.protocol.messages import Message
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionAnswer,
    PermissionRequest,
    PermissionUpdate,
    RequestClosed,
)

Emit: TypeAlias = Callable[[Message], Awaitable[None]]


class Approver(Protocol):
    """Answers permission requests."""

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        """Give the answer; may wait for a person."""
        ...


NOBODY = (
    "This call needs an approval and there is nobody to ask. It was not run. "
    "Go on without it, or say what you would have done."
)


class DenyAll:
    """Nobody is there: what would be asked is denied."""

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        """Deny, saying why."""
        return Deny(f"{NOBODY} ({request.reason})")


@dataclass(slots=True)
class _Pending:
    request: PermissionRequest
    done: anyio.Event
    answer: PermissionAnswer | None = None
    how: RequestClosed | None = None


class Desk:
    """Pending requests by id, for a person at a front end.

    ``settle`` is asked about the requests still open whenever rules or mode have changed: it gives the answer a request
    gets now without being asked, yes or no, or None.
    """

    def __init__(
        self,
        emit: Emit,
        settle: Callable[[PermissionRequest], PermissionAnswer | None],
        apply: Callable[[tuple[PermissionUpdate, ...]], Awaitable[None]],
    ) -> None:
        self._emit = emit
        self._settle = settle
        self._apply = apply
        self._pending: dict[str, _Pending] = {}

    @property
    def open_requests(self) -> tuple[PermissionRequest, ...]:
        """The requests that wait, oldest first."""
        return tuple(p.request for p in self._pending.values())

    async def decide(self, request: PermissionRequest) -> PermissionAnswer:
        """Ask the person and wait; withdrawn when the waiting task is cancelled."""
        pending = _Pending(request, anyio.Event())
        self._pending[request.id] = pending
        try:
            await self._emit(request)
            await pending.done.wait()
        finally:
            if self._pending.pop(request.id, None) is not None:
                with anyio.CancelScope(shield=True):
                    await self._emit(RequestClosed(request.id, "withdrawn"))
        assert pending.answer is not None
        return pending.answer

    async def answer(self, request_id: str, answer: PermissionAnswer) -> None:
        """Take the first answer to a request; later ones, and ones to unknown requests, are ignored."""
        if request_id not in self._pending:
            return
        await self._close(request_id, answer, "answered")
        if isinstance(answer, Allow) and answer.updated_permissions:
            await self._apply(answer.updated_permissions)
            await self.reconsider()

    async def reconsider(self) -> None:
        """Decide the open requests anew; those that need no person any more are closed."""
        for other in self.open_requests:
            if other.id not in self._pending:  # closed while another one was told
                continue
            settled = self._settle(other)
            if settled is not None:
                await self._close(other.id, settled, "settled")

    async def _close(
        self, request_id: str, answer: PermissionAnswer, how: Literal["answered", "settled"]
    ) -> None:
        pending = self._pending.pop(request_id)
        pending.answer = answer
        await self._emit(RequestClosed(request_id, how))
        pending.done.set()
