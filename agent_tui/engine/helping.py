"""A session's sub-agents and its work in the background, put together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import anyio

from agent_tui.context.request import reminder
from agent_tui.context.window import CompactPolicy
from agent_tui.engine.chosen import Book
from agent_tui.engine.controls import Held
from agent_tui.engine.foundation import Foundation
from agent_tui.engine.mirror import side_mirrored
from agent_tui.journal.file import Journal
from agent_tui.journal.side_chain import SideMeta, side_journal, write_meta
from agent_tui.journal.unsaved import UnsavedJournal
from agent_tui.loop.agents import SessionAgents
from agent_tui.loop.approvals import Approver
from agent_tui.loop.asking import Asker
from agent_tui.loop.auto_mode import AutoMode
from agent_tui.loop.background import SessionBackground
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.household import Bounds, Busy, Caller, Household, Requesting
from agent_tui.loop.limits import Budget
from agent_tui.loop.permission import Apply
from agent_tui.loop.policy import Policy
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import FixedParts, SessionRequests
from agent_tui.loop.scribe import Emit
from agent_tui.loop.session import Session
from agent_tui.loop.shelf import Shelf
from agent_tui.loop.toolbox import Toolbox
from agent_tui.loop.turn import Deps
from agent_tui.machine.files import RealFiles
from agent_tui.machine.shell import RealShell
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display
from agent_tui.protocol.ops import Interrupt, Prompt
from agent_tui.protocol.ports import Ports
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import ToolSet

SHELL_SECONDS = 5.0
"""How long commands in the background may go on after a printed session's last result."""

AGENT_MS = 600_000
"""How long sub-agents in the background may; ``CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS`` says otherwise."""


@dataclass(frozen=True, slots=True)
class HelpingParts:
    """The session's parts that sub-agents use.

    Attributes:
        ports: the session's own world.
        deps: what a run of the session needs.
        changed: called when one has cost something.
        keeps: gives a world in which what files were is kept.
    """

    base: Foundation
    held: Held
    emit: Emit
    ports: Ports
    deps: Callable[[], Deps]
    requests: SessionRequests
    policy: Policy
    approver: Approver
    apply: Apply
    asker: Callable[[str], Asker]
    hooks: Hooks
    compaction: CompactPolicy
    budget: Budget
    changed: Callable[[], None]
    spill: Callable[[], Path]
    now: Callable[[], datetime]
    preview: Callable[[ToolSet, Path, str, JsonObject], Display | None]
    bypass: bool
    auto: AutoMode
    keeps: Callable[[Ports], Ports]


class Helping:
    """Holds the background of a session and its sub-agents (``session_agents``, once they are made).

    Args:
        record: the session's writer.
    """

    def __init__(self, record: Recorder) -> None:
        self._record = record
        self._session: Session | None = None
        self.session_agents: SessionAgents | None = None
        self.background = SessionBackground(record, self._tell)

    def attach(self, session: Session) -> None:
        """Name the session whose runs are told of ends."""
        self._session = session

    def _tell(self, prompt: Prompt) -> None:
        if self._session is not None:
            self._session.send(prompt)

    def _stop(self) -> bool:
        if self._session is None:
            return False
        self._session.send(Interrupt())
        return True

    def beginning(self, begin: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        """Give what is written before a prompt: what ``begin`` writes, then what happened in the background."""

        async def begin_and_tell() -> None:
            await begin()
            for text in self.background.take_untold():
                self._record.reminder(reminder(text))

        return begin_and_tell

    def agents(self, parts: HelpingParts) -> SessionAgents:
        """Make the session's sub-agents."""
        base = parts.base
        bounds = Bounds.of(base.env)
        house = Household(
            record=self._record,
            emit=parts.emit,
            deps=parts.deps,
            tools=lambda: base.tools,
            ports=lambda: _own_world(parts),
            kinds=base.kinds,
            policy=parts.policy,
            approver=parts.approver,
            apply=parts.apply,
            asker=parts.asker,
            hooks=parts.hooks,
            background=self.background,
            requests=_Requests(base),
            model=base.model,
            compaction=parts.compaction,
            open_journal=lambda agent_id, meta: _open(parts.held, agent_id, meta),
            context=lambda memory: base.context_text(parts.now(), memory=memory),
            preview=parts.preview,
            over_budget=lambda: parts.budget.reached,
            changed=parts.changed,
            stop=self._stop,
            cwd=base.cwd,
            spill=parts.spill,
            bounds=bounds,
            busy=Busy(),
            forced_model=base.env.get("CLAUDE_CODE_SUBAGENT_MODEL"),
            texts=base.options.subagent_text,
            bypass=parts.bypass,
            auto=parts.auto,
        )
        self.session_agents = SessionAgents(house, Caller(0, lambda: parts.requests.model))
        return self.session_agents

    async def settled(self, env: Environment) -> None:
        """Wait until the session has no more to say by itself; what goes on for too long is stopped.

        Commands get some seconds after the last result, sub-agents their own time. What ends meanwhile is told to
        the model, whose answer is waited for too.
        """
        session, background = self._session, self.background
        assert session is not None
        until = anyio.current_time() + _agent_seconds(env)
        while True:
            await session.at_rest()
            if not background.running():
                return
            agents = bool(background.running("local_agent"))
            left = until - anyio.current_time() if agents else SHELL_SECONDS
            with anyio.move_on_after(left) as limit:
                await background.next_end()
            if limit.cancelled_caught:
                await background.stop_all("local_agent" if agents else "local_bash")


class _Requests:
    """Makes what asks the model on a sub-agent's behalf."""

    def __init__(self, base: Foundation) -> None:
        self._base = base

    def __call__(
        self, system: str, tools: ToolSet, record: Recorder, model: str, effort: str | None
    ) -> Requesting:
        base = self._base
        toolbox = Toolbox(tools, base.deferral, base.table)
        wishes = replace(base.wishes, effort=effort or base.wishes.effort)
        fallbacks = tuple(map(base.model, base.options.model.fallbacks))
        fixed = FixedParts((system,), toolbox.definitions)
        requests = SessionRequests(fixed, base.table, wishes, model, fallbacks)
        return Requesting(requests, Shelf(record, toolbox, lambda: requests.model))


def _own_world(parts: HelpingParts) -> Ports:
    """Give a world with a shell and a memory of files that nobody else has."""
    base, limits = parts.base, parts.ports.limits
    own = replace(
        parts.ports,
        files=RealFiles(max_bytes=limits.file_bytes),
        shell=RealShell(base.env, base.cwd, limits, sandbox=parts.ports.sandbox),
    )
    return parts.keeps(own)


def _open(held: Held, agent_id: str, meta: SideMeta) -> Book:
    """Make a sub-agent's journal, saved where the session is saved. Blocks on files."""
    path = side_journal(held.path, agent_id)
    about = meta.to_json()
    if held.chosen.folder is not None:
        book: Book = UnsavedJournal(path)
    else:
        book = Journal.create(path)
        write_meta(path, meta)
    return side_mirrored(book, held.mirror, held.chosen.session_id, agent_id, about)


def _agent_seconds(env: Environment) -> float:
    text = env.get("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", str(AGENT_MS))
    ms = int(text) if text.isascii() and text.isdigit() else AGENT_MS
    return ms / 1000 if ms else float("inf")
