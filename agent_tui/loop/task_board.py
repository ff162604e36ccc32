"""The task list of a session: kept in the journal, watched by hooks."""

from __future__ import annotations

from dataclasses import replace

from agent_tui.journal.entries import TasksEntry
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.record import Recorder
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.tasks import Task


class TaskBoard:
    """Implements ``protocol.tasks.TaskList``; who waits for whom is the same on both sides, always."""

    def __init__(self, record: Recorder, hooks: Hooks) -> None:
        self._record = record
        self._hooks = hooks
        self._given = 0
        self._session = record.session_id

    def all(self) -> tuple[Task, ...]:
        """Give the tasks, oldest first."""
        return self._record.conversation.tasks

    def next_id(self) -> str:
        """Give the id of the next new task; an id is given once, also if its task never comes to be."""
        if self._session != self._record.session_id:  # the conversation was begun anew
            self._session, self._given = self._record.session_id, 0
        self._given = max(self._given, self._record.conversation.last_task) + 1
        return str(self._given)

    async def put(self, *tasks: Task) -> None:
        """Add tasks, or replace those with the same ids.

        Raises:
            PortError: a hook keeps a task from being created or completed; nothing was changed.
        """
        for task in tasks:
            await self._let_hooks_object(task)
        new = {task.id: task for task in tasks}
        there = [new.pop(task.id, task) for task in self.all()]
        changed = frozenset(task.id for task in tasks)
        self._write(_symmetric((*there, *new.values()), changed))

    async def remove(self, task_id: str) -> None:
        """Take a task away, also from what the others wait for."""
        self._write(
            tuple(
                replace(
                    task,
                    blocks=_without(task.blocks, task_id),
                    blocked_by=_without(task.blocked_by, task_id),
                )
                for task in self.all()
                if task.id != task_id
            )
        )

    async def _let_hooks_object(self, task: Task) -> None:
        before = next((one for one in self.all() if one.id == task.id), None)
        fields: JsonObject = {
            "task_id": task.id,
            "task_subject": task.subject,
            "task_description": task.description,
        }
        why: str | None = None
        if before is None:
            why = (await self._hooks.fire("TaskCreated", fields)).blocked
        if why is None and task.status == "completed" != (before and before.status):
            outcome = await self._hooks.fire("TaskCompleted", fields)
            why = outcome.stop if outcome.blocked is None else outcome.blocked
        if why is not None:
            raise PortError(why or "a hook objects")

    def _write(self, tasks: tuple[Task, ...]) -> None:
        last = max((int(task.id) for task in tasks if task.id.isdecimal()), default=0)
        self._record.write(TasksEntry(self._record.header(), tasks, max(last, self._given)))


def _symmetric(tasks: tuple[Task, ...], changed: frozenset[str]) -> tuple[Task, ...]:
    """Have both sides say the same of who waits for whom; what changed tasks say of themselves counts."""
    pairs: set[tuple[str, str]] = set()
    for task in tasks:
        for other in task.blocks:
            if task.id in changed or other not in changed:
                pairs.add((task.id, other))
        for other in task.blocked_by:
            if task.id in changed or other not in changed:
                pairs.add((other, task.id))
    return tuple(
        replace(
            task,
            blocks=tuple(one.id for one in tasks if (task.id, one.id) in pairs),
            blocked_by=tuple(one.id for one in tasks if (one.id, task.id) in pairs),
        )
        for task in tasks
    )


def _without(ids: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(one for one in ids if one != gone)
