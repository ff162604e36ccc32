"""The task list of a session, and the port through which tools keep it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from agent_tui.protocol.content import JsonObject

TaskStatus: TypeAlias = Literal["pending", "in_progress", "completed"]


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do. ``id`` counts from ``"1"``; ``active_form`` is said while it is in progress."""

    id: str
    subject: str
    description: str = ""
    status: TaskStatus = "pending"
    active_form: str = ""
    owner: str = ""
    blocks: tuple[str, ...] = ()
    blocked_by: tuple[str, ...] = ()
    metadata: JsonObject = field(default_factory=dict[str, Any])


class TaskList(Protocol):
    """The session's list; kept in the journal, so a resumed session has it."""

    def all(self) -> tuple[Task, ...]:
        """Give the tasks, oldest first."""
        ...

    def next_id(self) -> str:
        """Give the id of the next new task; ids are never used twice."""
        ...

    async def put(self, *tasks: Task) -> None:
        """Add tasks, or replace those with the same ids, at once.

        Raises:
            PortError: a hook keeps a task from being created or completed; nothing was changed.
        """
        ...

    async def remove(self, task_id: str) -> None:
        """Take a task away, also from what the others wait for."""
        ...
