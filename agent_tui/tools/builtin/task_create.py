"""TaskCreate: a new entry of the task list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field

from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.ports import PortError
from agent_tui.protocol.tasks import Task
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.tasks import NO_LIST, task_list


class TaskCreateArguments(Arguments):
    """Input of TaskCreate."""

    subject: str = Field(min_length=1)
    description: str = Field("", description="What is to be done, so that it can be picked up")
    active_form: str | None = Field(None, alias="activeForm")
    metadata: dict[str, Any] | None = None


class TaskCreate(BuiltinTool[TaskCreateArguments]):
    """Adds a task."""

    name = "TaskCreate"
    arguments = TaskCreateArguments

    def access(self, args: TaskCreateArguments, cwd: Path) -> Access:
        """Touches the list only."""
        return NoAccess()

    def preview(self, args: TaskCreateArguments, cwd: Path) -> Display:
        """Name the task."""
        return TextDisplay(args.subject)

    async def run(self, args: TaskCreateArguments, call: ToolCall) -> ToolOutput:
        """Add it."""
        board = call.ports.tasks
        if board is None:
            return failed(NO_LIST)
        task = Task(
            board.next_id(),
            args.subject,
            args.description,
            active_form=args.active_form or "",
            metadata={k: v for k, v in (args.metadata or {}).items() if v is not None},
        )
        try:
            await board.put(task)
        except PortError as error:
            return failed(f"The task was not created: {error}", self.preview(args, call.cwd))
        made: JsonObject = {"id": task.id, "subject": task.subject}
        if task.description:
            made["description"] = task.description
        return ToolOutput(
            f"Task {task.id} created: {task.subject}",
            task_list(board.all(), task.id),
            {"task": made},
        )


TOOL = TaskCreate()
