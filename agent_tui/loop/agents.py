"""Sub-agents for whoever may have them: asked for in the foreground or the background, within the session's bounds."""

from __future__ import annotations

from dataclasses import replace

import anyio

from agent_tui.loop.agent_output import AgentOutput
from agent_tui.loop.household import Caller, Household, kind_names
from agent_tui.loop.side_record import BUDGET
from agent_tui.loop.subagent import Order, SubAgent
from agent_tui.loop.task_news import TaskNews
from agent_tui.model.thinking import read_effort
from agent_tui.protocol.agents import (
    USUAL_KIND,
    AgentDefinition,
    AgentProgress,
    AgentReport,
    AgentTask,
    OnAgentProgress,
)
from agent_tui.protocol.background import BackgroundStatus, BackgroundTask, Ended
from agent_tui.protocol.errors import PortError, UsageError

TOO_MANY = "Concurrent subagent limit reached"
"""The documented words for a sub-agent that may not begin because as many run as may."""


class SessionAgents:
    """The ``Agents`` port of one caller.

    Args:
        house: what all sub-agents of the session share.
        caller: who has them here.
    """

    def __init__(self, house: Household, caller: Caller) -> None:
        self._house = house
        self._caller = caller
        self._news = TaskNews(house.record)

    def definitions(self) -> tuple[AgentDefinition, ...]:
        """Give the kinds there are."""
        return self._house.kinds.definitions

    def in_background(self, task: AgentTask, wanted: bool | None) -> bool:
        """Say whether the task is for ``launch``. What a sub-agent asks for is waited for: it reports once."""
        if self._caller.depth or not self._house.bounds.background:
            return False
        if wanted is not None:
            return wanted
        kind = self._house.kinds.named(task.agent_type or USUAL_KIND)
        return kind is None or kind.background is not False

    async def run(self, task: AgentTask, call_id: str, on_progress: OnAgentProgress) -> AgentReport:
        """Run one to its end; see the port."""
        order = self._order(task, call_id)

        async def step(seen: BackgroundTask, tool: str, words: str) -> None:
            if tool:
                await self._news.progress(seen, tool)
            await on_progress(_progress(seen, words))

        agent = SubAgent(self._house, order, step)
        with self._house.busy.one():
            await self._news.started(order.seen_as, task.prompt)
            try:
                report = await agent.run()
            except PortError as error:
                await self._news.ended(_over(agent, "failed", str(error)))
                raise
            except anyio.get_cancelled_exc_class():
                with anyio.CancelScope(shield=True):
                    await self._news.ended(_over(agent, "killed", "interrupted"))
                raise
        await self._news.ended(_over(agent, report.status, _outcome(report)))
        if report.stopped and self._caller.depth == 0 and self._house.stop():
            await anyio.sleep_forever()  # who said stop meant all that waits for this, too
        return report

    async def launch(self, task: AgentTask, call_id: str) -> BackgroundTask:
        """Run one in the background; see the port."""
        order = self._order(task, call_id)
        background, busy = self._house.background, self._house.busy
        output = AgentOutput(self._house.spill() / f"{order.id}.txt")
        seen = replace(order.seen_as, output_file=str(output.path))
        order = replace(order, output=output, seen_as=seen)

        async def step(now: BackgroundTask, tool: str, words: str) -> None:
            if tool:
                await background.progress(now, tool)

        async def work() -> Ended:
            try:
                report = await SubAgent(self._house, order, step).run()
            finally:
                busy.count -= 1
            return _ended(task, report)

        busy.count += 1  # from now on: others may be asked for before this one has begun
        try:
            await output.add(f"Task: {task.description}")
            await background.start(seen, work, prompt=task.prompt)
        except BaseException:
            busy.count -= 1
            raise
        return seen

    def _order(self, task: AgentTask, call_id: str) -> Order:
        """Check that it may begin, and make it out.

        Raises:
            PortError: it may not; the text says why.
        """
        house, caller = self._house, self._caller
        kind = house.kinds.named(task.agent_type or USUAL_KIND)
        if kind is None:
            names = kind_names(house.kinds.definitions)
            raise PortError(
                f"There is no kind of sub-agent {task.agent_type!r}. There are: {names}."
            )
        if caller.depth >= house.bounds.depth:
            raise PortError(f"Sub-agents may nest {house.bounds.depth} deep and no deeper.")
        if house.over_budget():
            raise PortError(BUDGET)
        if house.busy.count >= house.bounds.at_once:
            raise PortError(
                f"{TOO_MANY} ({house.bounds.at_once}). Wait until one has ended, or do it yourself."
            )
        model = self._model(task, kind)
        agent_id = house.background.new_id("local_agent")
        depth = caller.depth + 1
        deeper = SessionAgents(house, Caller(depth, lambda: model, agent_id))
        return Order(
            kind,
            task,
            BackgroundTask(
                agent_id, "local_agent", task.description, call_id, "", agent_type=kind.name
            ),
            caller,
            model,
            _effort(task.effort or kind.effort),
            deeper if depth < house.bounds.depth else None,
        )

    def _model(self, task: AgentTask, kind: AgentDefinition) -> str:
        """Choose: what the environment says for all, the call, the kind, else the caller's own."""
        for name in (self._house.forced_model, task.model, kind.model):
            if name:
                return (
                    self._caller.model() if name.lower() == "inherit" else self._house.model(name)
                )
        return self._caller.model()


def _effort(word: str | None) -> str | None:
    """Read an effort level; a number, which some programs give, names none of ours.

    Raises:
        PortError: it is no level.
    """
    if word is None or word.isdigit():
        return None
    try:
        return read_effort(word)
    except UsageError as error:
        raise PortError(str(error)) from error


def _over(agent: SubAgent, status: BackgroundStatus, outcome: str) -> BackgroundTask:
    seen = agent.seen_as
    return replace(seen, status=status, summary=f"Agent {seen.description!r} {outcome}")


def _outcome(report: AgentReport) -> str:
    return f"failed: {report.error}" if report.error else "completed"


def _ended(task: AgentTask, report: AgentReport) -> Ended:
    return Ended(
        report.status,
        f"Agent {task.description!r} {_outcome(report)}",
        f"{report.error}\n{report.text}" if report.error else report.text,
        usage={"total_tokens": report.total_tokens, "tool_uses": report.tool_uses},
    )


def _progress(seen: BackgroundTask, words: str) -> AgentProgress:
    return AgentProgress(seen.id, words, seen.tool_uses, seen.total_tokens, seen.duration_ms)
