"""Sub-agents and a background as tools have them, as fakes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from agent_tui.protocol.agents import (
    AgentDefinition,
    AgentProgress,
    AgentReport,
    AgentTask,
    OnAgentProgress,
)
from agent_tui.protocol.background import BackgroundKind, BackgroundTask, Ended, Work
from agent_tui.protocol.errors import PortError
from tests.tools.place import Place


@dataclass
class FakeAgents:
    """Implements ``Agents``: gives ``report``, after telling of ``steps``; ``error`` refuses."""

    report: AgentReport = AgentReport("a1", "helper", "completed", "ANSWER")  # noqa: RUF009 - frozen
    steps: tuple[AgentProgress, ...] = ()
    error: str = ""
    background: bool = False
    asked: list[tuple[AgentTask, str]] = field(default_factory=list[tuple[AgentTask, str]])
    wanted: list[bool | None] = field(default_factory=list[bool | None])

    def definitions(self) -> tuple[AgentDefinition, ...]:
        return ()

    def in_background(self, task: AgentTask, wanted: bool | None) -> bool:
        self.wanted.append(wanted)
        return self.background

    async def run(self, task: AgentTask, call_id: str, on_progress: OnAgentProgress) -> AgentReport:
        self._take(task, call_id)
        for step in self.steps:
            await on_progress(step)
        return self.report

    async def launch(self, task: AgentTask, call_id: str) -> BackgroundTask:
        self._take(task, call_id)
        return BackgroundTask("a1", "local_agent", task.description, call_id, "/out")

    def _take(self, task: AgentTask, call_id: str) -> None:
        self.asked.append((task, call_id))
        if self.error:
            raise PortError(self.error)


@dataclass
class FakeBackground:
    """Implements ``Background``: a work runs to its end when it is waited for."""

    tasks: dict[str, BackgroundTask] = field(default_factory=dict[str, BackgroundTask])
    works: dict[str, Work] = field(default_factory=dict[str, Work])
    ended: list[Ended] = field(default_factory=list[Ended])
    waited_ms: list[int] = field(default_factory=list[int])
    error: str = ""

    def all(self) -> tuple[BackgroundTask, ...]:
        return tuple(self.tasks.values())

    def new_id(self, kind: BackgroundKind) -> str:
        return f"{kind[6]}{len(self.tasks) + 1}"

    async def start(self, task: BackgroundTask, work: Work) -> None:
        if self.error:
            raise PortError(self.error)
        self.tasks[task.id], self.works[task.id] = task, work

    async def progress(self, task: BackgroundTask, last_tool: str = "") -> None:
        self.tasks[task.id] = task

    async def wait(self, task_id: str, timeout_ms: int) -> BackgroundTask:
        self.waited_ms.append(timeout_ms)
        task = self._found(task_id)
        if timeout_ms and task_id in self.works:
            ended = await self.works.pop(task_id)()
            self.ended.append(ended)
            task = replace(
                task, status=ended.status, summary=ended.summary, exit_code=ended.exit_code
            )
            self.tasks[task_id] = task
        return task

    async def stop(self, task_id: str, *, by_person: bool = False) -> BackgroundTask:
        self.tasks[task_id] = replace(self._found(task_id), status="killed")
        return self.tasks[task_id]

    def _found(self, task_id: str) -> BackgroundTask:
        if task_id not in self.tasks:
            raise PortError(f"There is no background task {task_id!r}.")
        return self.tasks[task_id]


def with_agents(place: Place, agents: FakeAgents) -> Place:
    """The same place, with sub-agents."""
    return replace(place, ports=replace(place.ports, agents=agents))


def with_background(place: Place, background: FakeBackground) -> Place:
    """The same place, with a background."""
    return replace(place, ports=replace(place.ports, background=background))
