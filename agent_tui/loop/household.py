"""What all sub-agents of a session share: its parts, the kinds there are, and how many may be at once and how deep."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agent_tui.agents.kinds import Kinds
from agent_tui.context.window import CompactPolicy
from agent_tui.journal.side_chain import SideMeta
from agent_tui.loop.approvals import Approver
from agent_tui.loop.asking import Asker
from agent_tui.loop.auto_mode import AutoMode
from agent_tui.loop.background import SessionBackground
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.permission import Apply
from agent_tui.loop.policy import Policy
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.loop.scribe import Emit, Sink
from agent_tui.loop.turn import Deps
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display
from agent_tui.protocol.ports import Ports, ToolShelf
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import ToolSet

MAX_DEPTH = 3
MAX_AT_ONCE = 20


class SideBook(Sink, Protocol):
    """A sub-agent's journal, held for writing; ``path`` is where it is, or would be."""

    path: Path

    def close(self) -> None:
        """Let go of it."""
        ...


@dataclass(frozen=True, slots=True)
class Requesting:
    """What asks the model on a sub-agent's behalf, and the shelf with those of its tools that are deferred."""

    requests: SessionRequests
    shelf: ToolShelf | None = None


class MakeRequests(Protocol):
    """Makes what asks the model on a sub-agent's behalf."""

    def __call__(
        self, system: str, tools: ToolSet, record: Recorder, model: str, effort: str | None
    ) -> Requesting:
        """Make it; ``effort`` is a level, None the session's."""
        ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many sub-agents may run at once, how deep they may nest, and whether any may run in the background."""

    at_once: int = MAX_AT_ONCE
    depth: int = MAX_DEPTH
    background: bool = True

    @classmethod
    def of(cls, env: Environment) -> Bounds:
        """Read the documented variables; what is no whole number is passed over."""
        off = env.get("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS").lower() in ("1", "true", "yes", "on")
        return cls(
            _count(env, "CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS", MAX_AT_ONCE),
            _count(env, "CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH", MAX_DEPTH),
            not off,
        )


@dataclass(slots=True)
class Busy:
    """How many sub-agents run, those included that are about to begin."""

    count: int = 0

    @contextmanager
    def one(self) -> Generator[None]:
        """Count one while it runs."""
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1


@dataclass(frozen=True, slots=True)
class Household:
    """The session, as its sub-agents need it.

    Attributes:
        record: the session's own writer; sub-agents write there what they cost.
        emit: says to everybody who listens.
        deps: gives what a run of the session itself needs; a sub-agent's differs in what is its own.
        tools: the session's tools, as they are now.
        ports: gives the world with a shell and a memory of files that nobody else has.
        apply: takes over the changes of permissions that an answer brings.
        asker: gives what asks the person on behalf of a sub-agent, named as its questions are.
        requests: makes what asks the model.
        model: gives the id of the model that a name stands for, in a sub-agent.
        open_journal: makes a sub-agent's journal with its note beside it; blocks.
        context: gives the text a window begins with, with or without the memory files; blocks.
        preview: says how a call of one of these tools looks before it has run.
        over_budget: whether nothing more may be spent.
        changed: called when a sub-agent has cost something.
        stop: interrupts the session's run, because the person stopped a sub-agent it waits for; False: it can't.
        spill: the folder for outputs.
        forced_model: the model of all of them, whatever a call or a kind names; empty for none.
        texts: whether what sub-agents say is heard too.
        bypass: whether a kind may ask for the mode that approves all.
        auto: looks at calls in the mode of that name.
    """

    record: Recorder
    emit: Emit
    deps: Callable[[], Deps]
    tools: Callable[[], ToolSet]
    ports: Callable[[], Ports]
    kinds: Kinds
    policy: Policy
    approver: Approver
    apply: Apply
    asker: Callable[[str], Asker]
    hooks: Hooks
    background: SessionBackground
    requests: MakeRequests
    model: Callable[[str], str]
    compaction: CompactPolicy
    open_journal: Callable[[str, SideMeta], SideBook]
    context: Callable[[bool], str]
    preview: Callable[[ToolSet, Path, str, JsonObject], Display | None]
    over_budget: Callable[[], bool]
    changed: Callable[[], None]
    stop: Callable[[], bool]
    cwd: Path
    spill: Callable[[], Path]
    bounds: Bounds
    busy: Busy
    forced_model: str = ""
    texts: bool = False
    bypass: bool = False
    auto: AutoMode | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who has sub-agents: the session (depth 0), or one of its sub-agents."""

    depth: int
    model: Callable[[], str]
    agent_id: str = ""


def kind_names(definitions: tuple[AgentDefinition, ...]) -> str:
    """Name the kinds in a sentence."""
    return ", ".join(one.name for one in definitions)


def _count(env: Environment, name: str, default: int) -> int:
    text = env.get(name)
    return int(text) if text.isascii() and text.isdigit() and int(text) > 0 else default
