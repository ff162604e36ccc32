"""The background as a sub-agent has it: its own works only, which end with it; their ends are told to it."""

from __future__ import annotations

from collections.abc import Callable

from agent_tui.loop.background import SessionBackground
from agent_tui.protocol.background import BackgroundKind, BackgroundTask, Work
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ops import Prompt


class LentBackground:
    """The ``Background`` port of a sub-agent.

    Args:
        session: runs the works.
        notify: takes what tells of an end.
    """

    def __init__(self, session: SessionBackground, notify: Callable[[Prompt], None]) -> None:
        self._session = session
        self._notify = notify
        self._own: list[str] = []

    def all(self) -> tuple[BackgroundTask, ...]:
        """Give the sub-agent's own, oldest first."""
        return tuple(task for task in self._session.all() if task.id in self._own)

    def new_id(self, kind: BackgroundKind) -> str:
        """Give the id of the next work."""
        return self._session.new_id(kind)

    async def start(self, task: BackgroundTask, work: Work) -> None:
        """Begin it."""
        self._own.append(task.id)
        await self._session.start(task, work, notify=self._notify)

    async def progress(self, task: BackgroundTask, last_tool: str = "") -> None:
        """Say how far it is."""
        await self._session.progress(task, last_tool)

    async def wait(self, task_id: str, timeout_ms: int) -> BackgroundTask:
        """Wait for one of its own."""
        return await self._session.wait(self._mine(task_id), timeout_ms)

    async def stop(self, task_id: str, *, by_person: bool = False) -> BackgroundTask:
        """End one of its own."""
        return await self._session.stop(self._mine(task_id), by_person=by_person)

    async def end(self) -> None:
        """End all that still run."""
        for task in self.all():
            if not task.over:
                await self._session.stop(task.id)

    def _mine(self, task_id: str) -> str:
        if task_id in self._own:
            return task_id
        running = ", ".join(task.id for task in self.all() if not task.over) or "none"
        raise PortError(f"You have no background task {task_id!r}. Running now: {running}.")
