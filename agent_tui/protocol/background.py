"""Work that outlives the call that began it: background commands and sub-agents, and the port to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from agent_tui.protocol.content import JsonObject

BackgroundKind: TypeAlias = Literal["local_bash", "local_agent"]
BackgroundStatus: TypeAlias = Literal["running", "completed", "failed", "killed"]


@dataclass(frozen=True, slots=True)
class BackgroundTask:
    """One such work, as it is now.

    Attributes:
        id: names it in TaskOutput and TaskStop.
        tool_use_id: the call that began it.
        output_file: what it has given so far, readable at any time; absolute.
        exit_code: a command's, once it has ended.
        summary: one line on how it ended, empty while it runs.
        total_tokens, tool_uses, duration_ms: of a sub-agent so far.
    """

    id: str
    kind: BackgroundKind
    description: str
    tool_use_id: str
    output_file: str
    status: BackgroundStatus = "running"
    command: str = ""
    agent_type: str = ""
    exit_code: int | None = None
    summary: str = ""
    total_tokens: int = 0
    tool_uses: int = 0
    duration_ms: int = 0

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.status != "running"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a work ended by itself. ``report`` is told to the model (a sub-agent's answer, a command's end).

    ``usage`` are a sub-agent's numbers: ``total_tokens``, ``tool_uses``.
    """

    status: Literal["completed", "failed"]
    summary: str
    report: str = ""
    exit_code: int | None = None
    usage: JsonObject | None = None


Work: TypeAlias = Callable[[], Awaitable[Ended]]
"""The work itself; cancelled when it is stopped or the session ends. What it raises makes it ``failed``."""


class Background(Protocol):
    """Starts, shows and ends such works; they live as long as the session."""

    def all(self) -> tuple[BackgroundTask, ...]:
        """Give all of this session, oldest first, ended ones too."""
        ...

    def new_id(self, kind: BackgroundKind) -> str:
        """Give the id of the next work of a kind."""
        ...

    async def start(self, task: BackgroundTask, work: Work) -> None:
        """Begin it: ``task_started`` is said. Its end is said too, and told to the model by itself.

        Raises:
            PortError: the session is ending.
        """
        ...

    async def progress(self, task: BackgroundTask, last_tool: str = "") -> None:
        """Note what changed of a running work (tokens, tool uses) and say ``task_progress``."""
        ...

    async def wait(self, task_id: str, timeout_ms: int) -> BackgroundTask:
        """Wait until it has ended or the time is over; give it as it is then, for the model: it isn't told again.

        Raises:
            PortError: there is no such work; the text lists those that run.
        """
        ...

    async def stop(self, task_id: str, *, by_person: bool = False) -> BackgroundTask:
        """End it and wait until it is gone; what it has found so far stays in its file.

        ``by_person``: the model, which did not ask for it, is told with the next prompt.

        Raises:
            PortError: there is no such work, or it has ended already.
        """
        ...
