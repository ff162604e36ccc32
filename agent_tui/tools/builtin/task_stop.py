"""TaskStop: the end of a background command or sub-agent."""

from __future__ import annotations

from pathlib import Path

from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.ports import PortError
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.paths import shown

NO_BACKGROUND = "Nothing runs in the background here."
OLD_FIELDS = {"shell_id": "task_id"}
"""Names the field had before."""


class TaskStopArguments(Arguments):
    """Input of TaskStop."""

    task_id: str


class TaskStop(BuiltinTool[TaskStopArguments]):
    """Ends a task in the background."""

    name = "TaskStop"
    aliases = ("KillShell", "KillBash")
    arguments = TaskStopArguments

    def parse(self, raw: JsonObject) -> TaskStopArguments:
        """Read the input, by the field's older name too."""
        return super().parse({OLD_FIELDS.get(name, name): value for name, value in raw.items()})

    def access(self, args: TaskStopArguments, cwd: Path) -> Access:
        """Touches what the session itself began."""
        return NoAccess()

    def preview(self, args: TaskStopArguments, cwd: Path) -> Display:
        """Name the task."""
        return TextDisplay(args.task_id)

    async def run(self, args: TaskStopArguments, call: ToolCall) -> ToolOutput:
        """End it."""
        if call.ports.background is None:
            return failed(NO_BACKGROUND)
        try:
            task = await call.ports.background.stop(args.task_id)
        except PortError as error:
            return failed(str(error), self.preview(args, call.cwd))
        message = f"Stopped {task.id} ({task.description}). Its output until then is in {shown(task.output_file)}."
        if task.status != "killed":
            message = f"{task.id} ({task.description}) had just ended by itself: {task.status}."
        data: JsonObject = {"message": message, "task_id": task.id, "task_type": task.kind}
        if task.command:
            data["command"] = task.command
        return ToolOutput(message, TextDisplay(task.id, message), data)


TOOL = TaskStop()
