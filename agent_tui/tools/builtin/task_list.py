"""TaskList: the whole task list."""

from __future__ import annotations

from pathlib import Path

from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.tasks import Task
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.tasks import NO_LIST, line, task_list


class TaskListArguments(Arguments):
    """Input of TaskList: none."""


class TaskList(BuiltinTool[TaskListArguments]):
    """Shows the list."""

    name = "TaskList"
    arguments = TaskListArguments
    read_only = True

    def access(self, args: TaskListArguments, cwd: Path) -> Access:
        """Touches the list only."""
        return NoAccess()

    def preview(self, args: TaskListArguments, cwd: Path) -> Display:
        """Say what is looked at."""
        return TextDisplay("the tasks")

    async def run(self, args: TaskListArguments, call: ToolCall) -> ToolOutput:
        """Give it."""
        if call.ports.tasks is None:
            return failed(NO_LIST)
        tasks = call.ports.tasks.all()
        text = "\n".join(line(task, tasks) for task in tasks)
        return ToolOutput(
            text or "There are no tasks.",
            task_list(tasks),
            {"tasks": [_row(task) for task in tasks]},
        )


def _row(task: Task) -> JsonObject:
    row: JsonObject = {"id": task.id, "subject": task.subject, "status": task.status}
    if task.owner:
        row["owner"] = task.owner
    return {**row, "blockedBy": list(task.blocked_by)}


TOOL = TaskList()
