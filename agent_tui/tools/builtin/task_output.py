"""TaskOutput: what a background command or sub-agent has given so far."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.background import BackgroundTask
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.ports import PortError
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.paths import shown
from agent_tui.tools.quoted import quoted

USUAL_WAIT_MS = 30_000
MOST_WAIT_MS = 600_000
NO_BACKGROUND = "Nothing can run in the background here."
OLD_FIELDS = {"bash_id": "task_id", "agentId": "task_id", "shell_id": "task_id"}
"""Names the field had before."""


class TaskOutputArguments(Arguments):
    """Input of TaskOutput."""

    task_id: str
    block: bool | None = Field(None, description="Wait for its end")
    timeout: int | None = Field(None, ge=0, le=MOST_WAIT_MS, description="Milliseconds to wait")


class TaskOutput(BuiltinTool[TaskOutputArguments]):
    """Shows a task in the background."""

    name = "TaskOutput"
    aliases = ("BashOutput", "AgentOutput")
    arguments = TaskOutputArguments
    read_only = True

    def parse(self, raw: JsonObject) -> TaskOutputArguments:
        """Read the input, by the field's older names too."""
        return super().parse({OLD_FIELDS.get(name, name): value for name, value in raw.items()})

    def access(self, args: TaskOutputArguments, cwd: Path) -> Access:
        """Touches what the session itself made."""
        return NoAccess()

    def preview(self, args: TaskOutputArguments, cwd: Path) -> Display:
        """Name the task."""
        return TextDisplay(args.task_id)

    async def run(self, args: TaskOutputArguments, call: ToolCall) -> ToolOutput:
        """Wait if wanted, and give the output."""
        background = call.ports.background
        if background is None:
            return failed(NO_BACKGROUND)
        block = args.block is not False
        wait_ms = USUAL_WAIT_MS if args.timeout is None else args.timeout
        try:
            task = await background.wait(args.task_id, wait_ms if block else 0)
        except PortError as error:
            return failed(str(error), self.preview(args, call.cwd))
        output = await _output(task, call)
        status = "success" if task.over else "timeout" if block else "not_ready"
        head = _head(task, status)
        text = f"{head}\n{output}" if output else f"{head}\n[No output so far.]"
        return ToolOutput(
            text,
            TextDisplay(f"{task.id} {task.description}", f"{head}\n{output}"),
            {"retrieval_status": status, "task": _data(task, output)},
        )


async def _output(task: BackgroundTask, call: ToolCall) -> str:
    """Read the output's file; of a long one its end."""
    try:
        found = await call.ports.files.find(task.output_file)
    except PortError as error:
        return f"[The output can't be read: {error}]"
    if found is None:
        return ""
    limit = call.ports.limits.task_output_chars
    text = found.data.decode("utf-8", "backslashreplace").replace("\0", "\\x00").rstrip("\n")
    if task.kind == "local_agent":
        text = quoted(text)
    if len(text) <= limit:
        return text
    return f"[Only the last {limit:,} of {len(text):,} characters; all is in {shown(task.output_file)}.]\n{text[-limit:]}"


def _head(task: BackgroundTask, status: str) -> str:
    rows = [f"Task {task.id} ({task.description}): {task.status}"]
    if task.exit_code is not None:
        rows[0] += f", exit code {task.exit_code}"
    if status == "timeout":
        rows.append("It has not ended within the time.")
    rows.append(f"Output file: {shown(task.output_file)}")
    return "\n".join(rows)


def _data(task: BackgroundTask, output: str) -> JsonObject:
    data: JsonObject = {
        "task_id": task.id,
        "task_type": task.kind,
        "status": task.status,
        "description": task.description,
        "output": output,
    }
    if task.exit_code is not None:
        data["exitCode"] = task.exit_code
    return data


TOOL = TaskOutput()
