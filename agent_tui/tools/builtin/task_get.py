"""TaskGet: one task, whole."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.tasks import NO_LIST, find, line, task_list, unknown, whole


class TaskGetArguments(Arguments):
    """Input of TaskGet."""

    task_id: str = Field(alias="taskId")


class TaskGet(BuiltinTool[TaskGetArguments]):
    """Shows one task."""

    name = "TaskGet"
    arguments = TaskGetArguments
    read_only = True

    def access(self, args: TaskGetArguments, cwd: Path) -> Access:
        """Touches the list only."""
        return NoAccess()

    def preview(self, args: TaskGetArguments, cwd: Path) -> Display:
        """Name the task."""
        return TextDisplay(f"#{args.task_id.removeprefix('#')}")

    async def run(self, args: TaskGetArguments, call: ToolCall) -> ToolOutput:
        """Give it; no task is an answer too."""
        if call.ports.tasks is None:
            return failed(NO_LIST)
        tasks = call.ports.tasks.all()
        task = find(tasks, args.task_id)
        if task is None:
            text = unknown(args.task_id, tasks)
            return ToolOutput(text, self.preview(args, call.cwd), {"task": None})
        parts = [line(task, tasks), task.description]
        if task.blocks:
            parts.append(f"Waiting for it: {', '.join(task.blocks)}")
        if task.metadata:
            parts.append(f"Metadata: {task.metadata}")
        return ToolOutput("\n".join(filter(None, parts)), task_list((task,)), {"task": whole(task)})


TOOL = TaskGet()
