"""TaskUpdate: a change of one task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.ports import PortError
from agent_tui.protocol.tasks import Task
from agent_tui.protocol.tasks import TaskList as Board
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.file_change import RefusedError
from agent_tui.tools.tasks import NO_LIST, circle, find, task_list, unknown

Ids = tuple[str, ...]


class TaskUpdateArguments(Arguments):
    """Input of TaskUpdate."""

    task_id: str = Field(alias="taskId")
    subject: str | None = Field(None, min_length=1)
    description: str | None = None
    active_form: str | None = Field(None, alias="activeForm")
    status: Literal["pending", "in_progress", "completed", "deleted"] | None = None
    add_blocks: Ids = Field((), alias="addBlocks")
    add_blocked_by: Ids = Field((), alias="addBlockedBy")
    owner: str | None = None
    metadata: dict[str, Any] | None = Field(None, description="Merged; null deletes a key")


class TaskUpdate(BuiltinTool[TaskUpdateArguments]):
    """Changes a task."""

    name = "TaskUpdate"
    arguments = TaskUpdateArguments

    def access(self, args: TaskUpdateArguments, cwd: Path) -> Access:
        """Touches the list only."""
        return NoAccess()

    def preview(self, args: TaskUpdateArguments, cwd: Path) -> Display:
        """Name the task and what becomes of it."""
        to = f" {args.status.replace('_', ' ')}" if args.status else ""
        return TextDisplay(f"#{args.task_id.removeprefix('#')}{to}")

    async def run(self, args: TaskUpdateArguments, call: ToolCall) -> ToolOutput:
        """Change it."""
        board = call.ports.tasks
        if board is None:
            return failed(NO_LIST)
        tasks = board.all()
        task = find(tasks, args.task_id)
        if task is None:
            return self._refused(args, call, unknown(args.task_id, tasks))
        try:
            changed = _changed(task, args, tasks)
            if args.status == "deleted":
                await board.remove(task.id)
            elif changed != task:
                await board.put(changed)
        except (PortError, RefusedError) as error:
            return self._refused(args, call, str(error))
        return _told(task, changed, args, board)

    def _refused(self, args: TaskUpdateArguments, call: ToolCall, why: str) -> ToolOutput:
        data: JsonObject = {
            "success": False,
            "taskId": args.task_id,
            "updatedFields": [],
            "error": why,
        }
        return ToolOutput(f"Nothing was changed: {why}", self.preview(args, call.cwd), data)


def _changed(task: Task, args: TaskUpdateArguments, tasks: tuple[Task, ...]) -> Task:
    """Give the task as it is to be.

    Raises:
        RefusedError: it would wait for a task that there is not, for itself, or in a circle.
    """
    metadata = {**task.metadata, **(args.metadata or {})}
    new = replace(
        task,
        subject=args.subject or task.subject,
        description=task.description if args.description is None else args.description,
        active_form=task.active_form if args.active_form is None else args.active_form,
        owner=task.owner if args.owner is None else args.owner,
        status=task.status if args.status in (None, "deleted") else args.status,
        metadata={key: value for key, value in metadata.items() if value is not None},
        blocks=_joined(task.blocks, _known(args.add_blocks, task, tasks)),
        blocked_by=_joined(task.blocked_by, _known(args.add_blocked_by, task, tasks)),
    )
    others = [
        replace(one, blocked_by=_joined(one.blocked_by, (new.id,))) if one.id in new.blocks else one
        for one in tasks
        if one.id != new.id
    ]
    if found := circle([new, *others]):
        raise RefusedError(f"tasks {', '.join(found)} would wait for one another for ever.")
    return new


def _known(ids: Ids, task: Task, tasks: tuple[Task, ...]) -> Ids:
    for one in ids:
        if find(tasks, one) is None:
            raise RefusedError(unknown(one, tasks))
        if one.removeprefix("#") == task.id:
            raise RefusedError("a task can't wait for itself.")
    return tuple(one.removeprefix("#") for one in ids)


def _joined(ids: Ids, more: Iterable[str]) -> Ids:
    return tuple(dict.fromkeys((*ids, *more)))


def _told(before: Task, after: Task, args: TaskUpdateArguments, board: Board) -> ToolOutput:
    """Say what was changed."""
    names = {
        "subject": before.subject != after.subject,
        "description": before.description != after.description,
        "activeForm": before.active_form != after.active_form,
        "owner": before.owner != after.owner,
        "metadata": before.metadata != after.metadata,
        "blocks": before.blocks != after.blocks,
        "blockedBy": before.blocked_by != after.blocked_by,
        "status": before.status != after.status,
    }
    deleted = args.status == "deleted"
    fields = ["deleted"] if deleted else [name for name, changed in names.items() if changed]
    data: JsonObject = {"success": True, "taskId": before.id, "updatedFields": fields}
    to = "deleted" if deleted else after.status
    if to != before.status:
        data["statusChange"] = {"from": before.status, "to": to}
    text = f"Task {before.id}: {', '.join(fields)} changed."
    if deleted:
        text = f"Task {before.id} is off the list."
    elif names["status"]:
        text = f"Task {before.id} is {to.replace('_', ' ')}."
    elif not fields:
        text = f"Task {before.id} is as it was: nothing was to be changed."
    return ToolOutput(text, task_list(board.all(), before.id), data)


TOOL = TaskUpdate()
