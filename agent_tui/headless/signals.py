"""The signals that end a session without a screen, heard from before it is opened until all of it is closed.

One receiver for all of that time: between two of them a signal would end the process at once and leave its children.
"""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import anyio

from agent_tui.protocol.errors import AgentTuiError

T = TypeVar("T")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(slots=True)
class Signals:
    """What has come. ``number`` is the newest one's."""

    number: int | None = None
    _act: Callable[[bool], None] | None = None
    _attended: bool = False

    async def around(self, body: Callable[[], Awaitable[T]]) -> T | None:
        """Run ``body``; None where a signal ended it before somebody attended to signals.

        Raises:
            AgentTuiError: ``body`` did.
        """
        results: list[T] = []
        errors: list[AgentTuiError] = []
        with anyio.open_signal_receiver(*SIGNALS) as received:
            async with anyio.create_task_group() as group:
                group.start_soon(self._listen, received, group.cancel_scope)
                try:
                    results.append(await body())
                except AgentTuiError as error:
                    errors.append(error)
                group.cancel_scope.cancel()
        if errors:
            raise errors[0]
        return results[0] if results else None

    @contextmanager
    def attended(self, act: Callable[[bool], None]) -> Generator[None]:
        """Have ``act`` called for each signal, with whether it is not the first; one that has come is made up for."""
        self._attended = True
        self._act = act
        if self.number is not None:
            act(False)
        try:
            yield
        finally:
            self._act = None

    def code(self, code: int | None) -> int:
        """Give the exit code: that of the signal, if one came, else ``code``."""
        return code or 0 if self.number is None else 128 + self.number

    async def _listen(
        self, received: AsyncIterator[signal.Signals], opening: anyio.CancelScope
    ) -> None:
        async for number in received:
            again = self.number is not None
            self.number = int(number)
            if self._act is not None:
                self._act(again)
            elif not self._attended:  # nothing has been started yet that would have to be ended
                opening.cancel()
                if again:
                    signal.signal(number, signal.SIG_DFL)
                    os.kill(os.getpid(), number)
