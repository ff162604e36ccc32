"""Work nobody waits for: hooks marked ``async``, notifications. It ends with the session."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import anyio

Job: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


class Background:
    """Takes jobs at any time, runs them while it is served."""

    def __init__(self) -> None:
        self._waiting: list[Job] = []
        self._more = anyio.Event()

    def add(self, job: Job) -> None:
        """Have it run; never waits."""
        self._waiting.append(job)
        self._more.set()

    async def serve(self) -> None:
        """Run what comes, side by side, until cancelled."""
        async with anyio.create_task_group() as tasks:
            while True:
                jobs, self._waiting = self._waiting, []
                self._more = anyio.Event()
                for job in jobs:
                    tasks.start_soon(job)
                await self._more.wait()
