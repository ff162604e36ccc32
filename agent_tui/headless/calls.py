"""What we ask of the program that has started us: sent as ``control_request``, answered by a line on standard input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import anyio

from agent_tui.headless.words import Answered
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import LinkError, NobodyThereError

GONE = "standard input is closed, so nobody can answer"


@dataclass(slots=True)
class _Waiting:
    done: anyio.Event = field(default_factory=anyio.Event)
    response: JsonObject = field(default_factory=dict[str, object])
    error: str | None = None
    gone: bool = False


class HostCalls:
    """Our open requests, by id.

    Args:
        write: sends a record.
        new_id: gives an id that was not used before.
    """

    def __init__(self, write: Callable[[JsonObject], None], new_id: Callable[[], str]) -> None:
        self._write = write
        self._new_id = new_id
        self._waiting: dict[str, _Waiting] = {}
        self._closed = False

    @property
    def open(self) -> int:
        """How many requests wait for an answer."""
        return len(self._waiting)

    async def ask(self, request: JsonObject) -> JsonObject:
        """Ask and wait for the answer; a wait that is cancelled withdraws the request.

        Raises:
            NobodyThereError: the program can't answer any more.
            LinkError: the program says no.
        """
        if self._closed:
            raise NobodyThereError(GONE)
        request_id = self._new_id()
        waiting = self._waiting[request_id] = _Waiting()
        self._write({"type": "control_request", "request_id": request_id, "request": request})
        try:
            await waiting.done.wait()
        finally:
            del self._waiting[request_id]
            if not waiting.done.is_set():
                self._write({"type": "control_cancel_request", "request_id": request_id})
        if waiting.gone:
            raise NobodyThereError(GONE)
        if waiting.error is not None:
            raise LinkError(waiting.error)
        return waiting.response

    def answered(self, line: Answered) -> None:
        """Take an answer; one that nobody waits for (any more) is left alone."""
        waiting = self._waiting.get(line.id)
        if waiting is not None and not waiting.done.is_set():
            waiting.response, waiting.error = line.response, line.error
            waiting.done.set()

    def close(self) -> None:
        """No answer can come any more: who waits is told so."""
        self._closed = True
        for waiting in self._waiting.values():
            if not waiting.done.is_set():
                waiting.gone = True
                waiting.done.set()
