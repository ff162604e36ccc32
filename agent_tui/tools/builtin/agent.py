"""Agent: a task for a sub-agent."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path

from pydantic import Field, field_validator

from agent_tui.protocol.access import Access, NoAccess
from agent_tui.protocol.agents import (
    USUAL_KIND,
    AgentDefinition,
    AgentProgress,
    AgentReport,
    Agents,
    AgentTask,
)
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import AgentDisplay, Display
from agent_tui.protocol.ports import PortError
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.paths import shown

NO_AGENTS = "Sub-agents are not available here."
DROPPED = ("team_name", "mode")
"""Fields of older calls that have no meaning any more."""

SHOWN_CHARS = 4_000
REPORT_LINES = 12
KIND_CHARS = 400


class AgentArguments(Arguments):
    """Input of Agent."""

    description: str = Field(description="The task in a few words")
    prompt: str = Field(description="The task")
    subagent_type: str | None = Field(None, description=f"Its kind; by default {USUAL_KIND}")
    model: str | None = Field(None, description="Another model: sonnet, opus, haiku, or an id")
    effort: str | None = Field(None, description="low, medium, high, xhigh or max")
    run_in_background: bool | None = Field(None)
    name: str | None = Field(None, description="A name for it")

    @field_validator("prompt")
    @classmethod
    def _prompt(cls, value: str) -> str:
        if not value.strip():
            raise InvalidInputError("`prompt` is empty: say what the sub-agent is to do.")
        return value


class Agent(BuiltinTool[AgentArguments]):
    """Has a sub-agent do something, and waits for it or not.

    It touches nothing by itself, so several calls run side by side; what a sub-agent does is judged call by call.

    Args:
        kinds: those its description tells of.
    """

    name = "Agent"
    aliases = ("Task",)
    arguments = AgentArguments
    read_only = True

    def __init__(self, kinds: tuple[AgentDefinition, ...] = ()) -> None:
        self._kinds = kinds

    def schema(self) -> JsonObject:
        """Give the definition; it tells of the kinds there are."""
        return {**super().schema(), "description": self._told}

    def parse(self, raw: JsonObject) -> AgentArguments:
        """Read the input; what older calls held besides is left out."""
        return super().parse({name: raw[name] for name in raw if name not in DROPPED})

    def access(self, args: AgentArguments, cwd: Path) -> Access:
        """Touches nothing by itself."""
        return NoAccess()

    def preview(self, args: AgentArguments, cwd: Path) -> Display:
        """Show the task."""
        return _shown(args)

    async def run(self, args: AgentArguments, call: ToolCall) -> ToolOutput:
        """Have it done; in the background this ends at once."""
        agents, live = call.ports.agents, _shown(args)
        if agents is None:
            return failed(NO_AGENTS, live)
        task = AgentTask(
            args.description,
            args.prompt,
            args.subagent_type or USUAL_KIND,
            args.model,
            args.effort,
            args.name or "",
        )
        try:
            if agents.in_background(task, args.run_in_background):
                return await _launch(agents, task, call, live)
            return await _wait(agents, task, call, live)
        except PortError as error:
            return failed(str(error), replace(live, status="failed", report=str(error)))

    @cached_property
    def _told(self) -> str:
        rows = [f"- {one.name}: {_one_line(one.description)}" for one in self._kinds]
        return "\n".join(
            [self._prompt, "", "Kinds (`subagent_type`):", *rows] if rows else [self._prompt]
        )


async def _launch(
    agents: Agents, task: AgentTask, call: ToolCall, live: AgentDisplay
) -> ToolOutput:
    begun = await agents.launch(task, call.id)
    file = shown(begun.output_file)
    text = (
        f"The sub-agent {begun.id} works in the background. You are told when it has ended; what it has said so far "
        f"is in {file}. Go on with something else, or end your turn."
    )
    data: JsonObject = {
        "isAsync": True,
        "status": "async_launched",
        "agentId": begun.id,
        "description": task.description,
        "prompt": task.prompt,
        "outputFile": file,
    }
    display = replace(live, status="background", task_id=begun.id)
    return ToolOutput([{"type": "text", "text": text}], display, data)


async def _wait(agents: Agents, task: AgentTask, call: ToolCall, live: AgentDisplay) -> ToolOutput:
    async def progress(now: AgentProgress) -> None:
        await call.progress(_at_work(live, now))

    await call.progress(live)
    report = await agents.run(task, call.id, progress)
    display = _ended(live, report)
    if report.error:
        text = f"The sub-agent failed: {report.error}\nThe last it said: {report.text}"
        return failed(text, display)
    content: list[JsonObject] = [{"type": "text", "text": report.text}]
    return ToolOutput(content, display, _data(task, report, content))


def _data(task: AgentTask, report: AgentReport, content: list[JsonObject]) -> JsonObject:
    return {
        "status": report.status,
        "agentId": report.agent_id,
        "agentType": report.agent_type,
        "content": content,
        "resolvedModel": report.model,
        "totalDurationMs": report.duration_ms,
        "totalTokens": report.total_tokens,
        "totalToolUseCount": report.tool_uses,
        "usage": report.usage,
        "prompt": task.prompt,
    }


def _shown(args: AgentArguments) -> AgentDisplay:
    kind = args.subagent_type or USUAL_KIND
    return AgentDisplay(args.description, kind, prompt=args.prompt[:SHOWN_CHARS])


def _at_work(live: AgentDisplay, now: AgentProgress) -> AgentDisplay:
    return replace(
        live,
        last=now.last,
        tool_uses=now.tool_uses,
        total_tokens=now.total_tokens,
        duration_ms=now.duration_ms,
        task_id=now.agent_id,
    )


def _ended(live: AgentDisplay, report: AgentReport) -> AgentDisplay:
    said = report.error or report.text
    return replace(
        live,
        status=report.status,
        tool_uses=report.tool_uses,
        total_tokens=report.total_tokens,
        duration_ms=report.duration_ms,
        report="\n".join(said[:SHOWN_CHARS].splitlines()[:REPORT_LINES]),
        task_id=report.agent_id,
    )


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= KIND_CHARS else f"{line[: KIND_CHARS - 1]}…"


TOOL = Agent()
