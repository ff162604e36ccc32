"""A household on a stage: a scripted model answers sub-agents, their journals are lists."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from agent_tui.agents.kinds import Kinds
from agent_tui.journal.entries import Entry
from agent_tui.journal.side_chain import SideMeta
from agent_tui.loop.asking import Asker, NobodyThere
from agent_tui.loop.background import SessionBackground
from agent_tui.loop.household import Bounds, Busy, Household, Requesting
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import FixedParts, SessionRequests
from agent_tui.machine.world import real_ports
from agent_tui.model.prices import ModelTable
from agent_tui.model.thinking import Wishes
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.protocol.messages import Message, SystemMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.ports import Ports
from agent_tui.protocol.requests import PermissionUpdate
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import ToolSet
from tests.loop.stage import MODEL, Moments, Stage

HELPER = AgentDefinition("helper", "helps", "HELPER SYSTEM")


@dataclass
class SideEntries:
    """Implements ``SideBook`` with a list."""

    path: Path = Path("/side")
    entries: list[Entry] = field(default_factory=list[Entry])
    closed: bool = False
    moments: Moments = field(default_factory=Moments)

    def append(self, *entries: Entry) -> None:
        self.entries.extend(entries)

    async def sync(self) -> None:
        """Nothing has to survive, but that takes its time."""
        await self.moments()

    def close(self) -> None:
        self.closed = True


@dataclass
class Home:
    """A household, with what came of it."""

    stage: Stage
    kinds: tuple[AgentDefinition, ...] = (HELPER,)
    bounds: Bounds = field(default_factory=Bounds)
    texts: bool = False
    forced_model: str = ""
    told: list[Prompt] = field(default_factory=list[Prompt])
    books: list[SideEntries] = field(default_factory=list[SideEntries])
    metas: list[SideMeta] = field(default_factory=list[SideMeta])
    efforts: list[str | None] = field(default_factory=list[str | None])
    changes: int = 0
    spent: bool = False
    prices: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        self.background = SessionBackground(self.stage.record, self.told.append)
        self.household = Household(
            record=self.stage.record,
            emit=self._hear,
            deps=self.stage.deps,
            tools=lambda: self.stage.tool_set,
            ports=self._ports,
            kinds=Kinds(self.kinds),
            policy=self.stage.policy,
            approver=self.stage.approver,
            apply=self._apply,
            asker=self._asker,
            hooks=self.stage.hooks,
            background=self.background,
            requests=self._requests,
            model=lambda name: f"model-{name}",
            compaction=self.stage.compaction,
            open_journal=self._open,
            context=lambda memory: f"context with memory: {memory}",
            preview=self._preview,
            over_budget=lambda: self.spent,
            changed=self._changed,
            stop=lambda: False,
            cwd=self.stage.folder,
            spill=lambda: self.stage.folder / "spill",
            bounds=self.bounds,
            busy=Busy(),
            forced_model=self.forced_model,
            texts=self.texts,
        )

    async def _hear(self, message: Message) -> None:
        self.stage.said.append(message)
        await self.stage.moments()

    def _ports(self) -> Ports:
        return real_ports(Environment({}, self.stage.folder), self.stage.folder)

    async def _apply(self, updates: tuple[PermissionUpdate, ...]) -> None:
        self.stage.policy.update(updates)

    def _asker(self, agent: str) -> Asker:
        return NobodyThere()

    def _requests(
        self, system: str, tools: ToolSet, record: Recorder, model: str, effort: str | None
    ) -> Requesting:
        self.efforts.append(effort)
        fixed = FixedParts((system,), tools.schemas())
        return Requesting(SessionRequests(fixed, ModelTable.of(self.prices), Wishes(), model))

    def _open(self, agent_id: str, meta: SideMeta) -> SideEntries:
        path = self.stage.folder / f"{agent_id}.jsonl"
        self.books.append(SideEntries(path=path, moments=self.stage.moments))
        self.metas.append(meta)
        return self.books[-1]

    def _preview(self, tools: ToolSet, cwd: Path, name: str, given: JsonObject) -> Display | None:
        return TextDisplay(name)

    def _changed(self) -> None:
        self.changes += 1

    @property
    def system_said(self) -> list[str]:
        """The subtypes of the system messages, in order."""
        return [m.subtype for m in self.stage.said if isinstance(m, SystemMessage)]


async def served(background: SessionBackground, body: Callable[[], Awaitable[None]]) -> None:
    """Run ``body`` while the background is served."""
    async with anyio.create_task_group() as group:
        group.start_soon(background.serve)
        try:
            await body()
        finally:
            with anyio.CancelScope(shield=True):
                await background.end()


def session_model() -> str:
    """The model of whoever asks."""
    return MODEL
