"""One sub-agent: a run of its own with a fresh conversation, its own tools and limits, and a journal beside the session's.

Its answer alone is given back. What it costs counts for the session, whose window is not moved by it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import anyio
from anyio import to_thread

from agent_tui.agents.builtin import wants_memory
from agent_tui.agents.choice import chosen_tools
from agent_tui.journal.side_chain import SideMeta
from agent_tui.loop.agent_hooks import AgentHooks
from agent_tui.loop.agent_output import AgentOutput
from agent_tui.loop.agent_voice import AgentVoice
from agent_tui.loop.compact import Compactor
from agent_tui.loop.household import Caller, Household
from agent_tui.loop.lent_background import LentBackground
from agent_tui.loop.limits import Limit, TurnLimit
from agent_tui.loop.side_record import BUDGET, SideRecorder
from agent_tui.loop.tool_call import Batch
from agent_tui.loop.turn import Deps, Run
from agent_tui.loop.workplace import Workplace
from agent_tui.protocol.agents import (
    AgentDefinition,
    AgentReport,
    Agents,
    AgentTask,
)
from agent_tui.protocol.background import BackgroundTask
from agent_tui.protocol.content import ToolUseBlock
from agent_tui.protocol.display import Display
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode, ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.ports import Ports
from agent_tui.tools.base import ToolSet
from agent_tui.tools.quoted import bounded_report

CLEAN_UP_SECONDS = 3.0
"""How long the commands of a sub-agent may take to end with it."""

NO_ANSWER = "(The sub-agent ended without an answer.)"

OnStep: TypeAlias = Callable[[BackgroundTask, str, str], Awaitable[None]]
"""Told what a sub-agent does: its numbers by then, its tool's name (empty while it waits), the step in a few words."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a sub-agent is made from.

    Attributes:
        definition: its kind.
        task: what it is to do.
        seen_as: its task as others see it; ``id`` is its own, ``tool_use_id`` the call it works for.
        caller: whose it is.
        model: the id of its model.
        effort: the level asked for, None for the session's.
        agents: what it has sub-agents with; None at the depth limit.
        output: keeps what it says and does, in the background; None in the foreground, where it is heard.
    """

    definition: AgentDefinition
    task: AgentTask
    seen_as: BackgroundTask
    caller: Caller
    model: str
    effort: str | None = None
    agents: Agents | None = None
    output: AgentOutput | None = None

    @property
    def id(self) -> str:
        """The sub-agent's id."""
        return self.seen_as.id

    @property
    def title(self) -> str:
        """Who it is, as the person is told: its kind and what it does."""
        return f"{self.definition.name}: {self.task.description}"

    @property
    def meta(self) -> SideMeta:
        """The note beside its journal."""
        call = self.seen_as.tool_use_id
        return SideMeta(call, self.definition.name, self.task.description, self.caller.agent_id)


class SubAgent:
    """Runs once.

    Args:
        house: what it shares with the session.
        order: what it is made from.
        on_step: told of each of its calls.
    """

    def __init__(self, house: Household, order: Order, on_step: OnStep) -> None:
        self._house = house
        self._order = order
        self._on_step = on_step
        self._begun = anyio.current_time()
        self._tool_uses = 0
        self._said = ""
        self._limit_chars = 0
        self._transcript = ""
        self._record: SideRecorder | None = None
        self._steering: list[Prompt] = []

    @property
    def seen_as(self) -> BackgroundTask:
        """Its task as others see it, with its numbers by now."""
        last = self._record.conversation.last_usage if self._record else None
        known = self._order.seen_as
        return replace(
            known,
            output_file=known.output_file or self._transcript,
            total_tokens=last.total_tokens if last else 0,
            tool_uses=self._tool_uses,
            duration_ms=round((anyio.current_time() - self._begun) * 1000),
        )

    async def run(self) -> AgentReport:
        """Work to the end; when cancelled, its commands have ended and its journal can be read.

        Raises:
            PortError: it can't be begun.
        """
        house, order = self._house, self._order
        book = await to_thread.run_sync(house.open_journal, order.id, order.meta)
        ports = house.ports()
        background = LentBackground(house.background, self._steering.append)
        self._transcript = str(book.path)
        self._limit_chars = ports.limits.task_output_chars
        try:
            record = self._record = SideRecorder(book, house, order.id, self._voice())
            ports = replace(ports, background=background, agents=order.agents, modes=None)
            return self._report(await self._live(record, ports))
        finally:
            with anyio.move_on_after(CLEAN_UP_SECONDS, shield=True):
                await background.end()
                await ports.shell.aclose()
            book.close()

    async def _live(self, record: SideRecorder, ports: Ports) -> ResultMessage:
        house, order = self._house, self._order
        hooks = AgentHooks(house.hooks, order.id, order.definition.name, self._transcript)
        deps = self._deps(record, ports, hooks)
        started = await hooks.started()
        record.model(order.model)
        await deps.renew_context()
        prompt_uuid = record.stamp.new_id()
        await record.prompt([{"type": "text", "text": order.task.prompt}], prompt_uuid)
        for text in started.additional_context:
            record.reminder(text)
        return await Run(deps, prompt_uuid).run()

    # Parts ----------------------------------------------------------------------------------------------------------

    def _voice(self) -> AgentVoice:
        house, order = self._house, self._order
        return AgentVoice(
            house.emit,
            order.seen_as.tool_use_id,
            order.id,
            forwards=order.output is None,
            texts=house.texts,
            on_call=self._called,
            on_text=self._spoke,
            on_wait=self._waits,
        )

    def _tools(self, ports: Ports) -> ToolSet:
        definition, available = self._order.definition, self._house.tools()
        names = chosen_tools(
            (tool.name for tool in available.tools), definition, may_spawn=ports.agents is not None
        )
        if definition.tools and not names:
            wanted = ", ".join(definition.tools)
            raise PortError(f"A sub-agent {definition.name} would have no tool ({wanted}).")
        return ToolSet.of(tuple(tool for tool in available.tools if tool.name in names))

    def _deps(self, record: SideRecorder, ports: Ports, hooks: AgentHooks) -> Deps:
        house, order = self._house, self._order
        session = house.deps()
        tools = self._tools(ports)
        asking = house.requests(order.definition.prompt, tools, record, order.model, order.effort)
        place = Workplace(
            replace(ports, shelf=asking.shelf),
            house.cwd,
            house.spill(),
            agent=order.title,
            agent_id=order.id,
            mode=self._mode(),
        )

        def batch() -> Batch:
            approver, auto = house.approver, house.auto
            return Batch(
                record, tools, house.policy, approver, hooks, place, house.apply, auto=auto
            )

        def preview(block: ToolUseBlock) -> Display | None:
            return house.preview(tools, house.cwd, block.name, block.input)

        return replace(
            session,
            requests=asking.requests,
            batch=batch,
            preview=preview,
            hooks=hooks,
            limits=self._limits(session.limits),
            record=record,
            compactor=Compactor(
                record, session.client, asking.requests, hooks, house.compaction, _quiet
            ),
            phase=_quiet,
            steering=self._steer,
            renew_context=lambda: self._renew(record),
            partial=False,
            asker=house.asker(order.title),
            structured=None,
        )

    def _limits(self, session: tuple[Limit, ...]) -> tuple[Limit, ...]:
        """Take the session's budget over, but not its turns: each sub-agent's own are counted."""
        shared = tuple(limit for limit in session if not isinstance(limit, TurnLimit))
        turns = self._order.definition.max_turns
        return (*shared, TurnLimit(turns)) if turns else shared

    def _mode(self) -> PermissionMode | None:
        """Give the mode its kind wants; ``auto`` is the person's to choose, never a kind's."""
        mode = self._order.definition.permission_mode
        if mode not in PERMISSION_MODES or mode == "auto":
            return None
        return None if mode == "bypassPermissions" and not self._house.bypass else mode

    async def _renew(self, record: SideRecorder) -> None:
        if not record.conversation.has_context:
            memory = wants_memory(self._order.definition)
            record.context(await to_thread.run_sync(self._house.context, memory))

    async def _steer(self) -> list[Prompt]:
        taken = list(self._steering)
        self._steering.clear()
        return taken

    # What it does ---------------------------------------------------------------------------------------------------

    async def _called(self, tool: str, words: str) -> None:
        self._tool_uses += 1
        if self._order.output is not None:
            await self._order.output.add(f"[{words}]")
        await self._on_step(self.seen_as, tool, words)

    async def _spoke(self, text: str) -> None:
        self._said = text
        if self._order.output is not None:
            await self._order.output.add(text)

    async def _waits(self, why: str) -> None:
        await self._on_step(self.seen_as, "", f"waits: {why}")

    def _report(self, result: ResultMessage) -> AgentReport:
        order, seen = self._order, self.seen_as
        error = _error(result)
        text = self._said if error else result.result or ""
        return AgentReport(
            order.id,
            order.definition.name,
            "failed" if error else "completed",
            bounded_report(text or NO_ANSWER, self._limit_chars, _path(order.output)),
            order.model,
            error,
            seen.total_tokens,
            seen.tool_uses,
            seen.duration_ms,
            result.usage or {},
            result.terminal_reason == "aborted_tools",
        )


def _path(output: AgentOutput | None) -> str:
    return "" if output is None else str(output.path)


def _error(result: ResultMessage) -> str:
    """Say why there is no answer, empty when there is one."""
    if result.subtype == "error_max_budget_usd":
        return BUDGET
    if result.subtype != "success":
        return " ".join(result.errors or ()) or result.subtype
    return (result.result or "It failed.") if result.is_error else ""


async def _quiet(phase: str) -> None:
    """What a sub-agent's loop is at concerns nobody."""
