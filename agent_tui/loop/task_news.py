"""What is said of sub-agents and commands in the background: to everybody who listens, and to the model."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.loop.record import Recorder
from agent_tui.protocol.background import BackgroundTask, Ended
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.ops import Prompt
from agent_tui.tools.quoted import quoted

NOTICE_WORDS = {"completed": "completed", "failed": "failed", "killed": "stopped"}
"""``task_notification`` has a word of its own for what was stopped."""


class TaskNews:
    """Says the documented ``task_*`` messages of a session."""

    def __init__(self, record: Recorder) -> None:
        self._record = record

    async def started(self, task: BackgroundTask, prompt: str = "") -> None:
        """Say that it has begun."""
        more: JsonObject = {}
        if task.kind == "local_agent":
            more = {"subagent_type": task.agent_type, "prompt": prompt}
        await self._record.system(
            "task_started",
            task_id=task.id,
            tool_use_id=task.tool_use_id,
            description=task.description,
            task_type=task.kind,
            **more,
        )

    async def progress(self, task: BackgroundTask, last_tool: str) -> None:
        """Say how far it is."""
        await self._record.system(
            "task_progress",
            task_id=task.id,
            tool_use_id=task.tool_use_id,
            description=task.description,
            usage=usage_of(task),
            last_tool_name=last_tool or None,
        )

    async def ended(self, task: BackgroundTask) -> None:
        """Say how it has ended."""
        ended_at = round(self._record.stamp.clock().timestamp() * 1000)
        await self._record.system(
            "task_updated",
            task_id=task.id,
            patch={"status": task.status, "end_time": ended_at},
            status=task.status,
        )
        await self._record.system(
            "task_notification",
            task_id=task.id,
            tool_use_id=task.tool_use_id,
            status=NOTICE_WORDS[task.status],
            output_file=task.output_file,
            summary=task.summary,
            usage=usage_of(task) if task.kind == "local_agent" else None,
        )

    async def changed(self, running: Iterable[BackgroundTask]) -> None:
        """Say what runs in the background now."""
        tasks = [
            {"task_id": one.id, "task_type": one.kind, "description": one.description}
            for one in running
        ]
        await self._record.system("background_tasks_changed", tasks=tasks)

    def to_model(self, task: BackgroundTask, ended: Ended) -> Prompt:
        """Make the prompt that tells the model of an end."""
        return Prompt(
            notification(task, ended.report),
            self._record.stamp.new_id(),
            now=True,
            verbatim=True,
            origin={"kind": "task-notification", "producer": task.kind, "runId": task.id},
        )


def notification(task: BackgroundTask, report: str = "") -> str:
    """Say the end of a work to the model; what others wrote stands in it as text only."""
    rows = [
        f"<task-id>{task.id}</task-id>",
        f"<tool-use-id>{quoted(task.tool_use_id)}</tool-use-id>",
        f"<status>{NOTICE_WORDS.get(task.status, task.status)}</status>",
        f"<summary>{quoted(task.summary)}</summary>",
        f"<output-file>{quoted(task.output_file)}</output-file>",
    ]
    if report:
        rows.append(f"<result>\n{report}\n</result>")
    body = "\n".join(rows)
    return (
        "A task in the background has ended. This is said by the program, not by the user.\n"
        f"<task-notification>\n{body}\n</task-notification>"
    )


def usage_of(task: BackgroundTask) -> JsonObject:
    """Give a sub-agent's numbers in the documented shape."""
    return {
        "total_tokens": task.total_tokens,
        "tool_uses": task.tool_uses,
        "duration_ms": task.duration_ms,
    }
