"""Sub-agents: how they are defined, how one is asked for, what it gives back, and the port that runs them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from agent_tui.protocol.background import BackgroundTask
from agent_tui.protocol.content import JsonObject

DefinitionSource: TypeAlias = Literal["built-in", "user", "project", "program"]

USUAL_KIND = "general-purpose"
"""The kind that is meant where a call names none."""


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """A kind of sub-agent. Documented fields, in our spelling; ``tools`` None means all that sub-agents may have.

    ``model`` is an alias, an id or ``inherit`` (None: inherit). ``background`` None leaves it to the call.
    ``mcp_servers`` are names or objects ``{name: config}``.
    """

    name: str
    description: str
    prompt: str
    tools: tuple[str, ...] | None = None
    disallowed_tools: tuple[str, ...] = ()
    model: str | None = None
    effort: str | None = None
    max_turns: int | None = None
    background: bool | None = None
    permission_mode: str | None = None
    skills: tuple[str, ...] = ()
    memory: str | None = None
    mcp_servers: tuple[Any, ...] = ()
    initial_prompt: str | None = None
    source: DefinitionSource = "program"
    path: str = ""


@dataclass(frozen=True, slots=True)
class AgentTask:
    """What a call of the Agent tool asks for."""

    description: str
    prompt: str
    agent_type: str
    model: str | None = None
    effort: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class AgentReport:
    """What a sub-agent came to. ``text`` is its final answer; ``error`` says why there is none.

    ``usage`` is the sum over its requests in the API's shape; ``total_tokens`` the newest request's. ``stopped``: an
    answer to one of its questions stopped it.
    """

    agent_id: str
    agent_type: str
    status: Literal["completed", "failed"]
    text: str
    model: str = ""
    error: str = ""
    total_tokens: int = 0
    tool_uses: int = 0
    duration_ms: int = 0
    usage: JsonObject = field(default_factory=dict[str, Any])
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class AgentProgress:
    """What a sub-agent does now. ``last`` is its newest call in a few words; ``total_tokens`` as in the report."""

    agent_id: str
    last: str = ""
    tool_uses: int = 0
    total_tokens: int = 0
    duration_ms: int = 0


OnAgentProgress: TypeAlias = Callable[[AgentProgress], Awaitable[None]]
"""Told whenever a sub-agent begins a call, and when something keeps it waiting."""


class Agents(Protocol):
    """Runs sub-agents: each has a fresh conversation, its own tools and limits, and a journal beside the parent's."""

    def definitions(self) -> tuple[AgentDefinition, ...]:
        """Give the kinds there are, by name."""
        ...

    def in_background(self, task: AgentTask, wanted: bool | None) -> bool:
        """Say whether the task is for ``launch``: as the call wants, else as its kind does, else yes if it can be."""
        ...

    async def run(self, task: AgentTask, call_id: str, on_progress: OnAgentProgress) -> AgentReport:
        """Run one to its end; cancelled with the caller. What it does is said with ``parent_tool_use_id``.

        Raises:
            PortError: there is no such kind, too many run, it is too deep, or ``Budget limit reached``.
        """
        ...

    async def launch(self, task: AgentTask, call_id: str) -> BackgroundTask:
        """Run one in the background.

        Raises:
            PortError: as ``run``.
        """
        ...
