"""What a program that embeds the engine hands in beside ``Options``: things that are not data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from agent_tui.loop.approvals import Approver
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent

HookCallback: TypeAlias = Callable[[JsonObject, str | None], Awaitable[JsonObject]]
"""A program's hook: takes the event's input and the tool_use id, gives the documented output object."""


@dataclass(frozen=True, slots=True)
class HookGroup:
    """Callbacks for one matcher. ``timeout_s`` None is the documented default; ``on_failure`` ``block`` or ``continue``."""

    matcher: str | None
    callbacks: tuple[HookCallback, ...]
    timeout_s: float | None = None
    on_failure: str | None = None


Report: TypeAlias = Callable[[JsonObject | None, str], Awaitable[None]]
"""Says that lines were lost to a mirror (never here): the key they were for, and why."""


class Mirror(Protocol):
    """Gets every line of the session's journals after it was written locally, in order."""

    def lines(self, subpath: str | None, session_id: str, lines: tuple[JsonObject, ...]) -> None:
        """Take lines; never waits and never fails. ``subpath`` names a sub-agent's journal, None the session's."""
        ...

    async def flush(self) -> None:
        """Wait until what has been taken is passed on; called at the end of a turn and of the session."""
        ...

    async def serve(self, report: Report) -> None:
        """Pass lines on as they come, until cancelled; runs as a task of the session."""
        ...


Connect: TypeAlias = Callable[[], Any]
"""Gives the transport (an async context manager with a read and a write stream of ``mcp``) to a server in the program."""


@dataclass(frozen=True, slots=True)
class Extras:
    """A program's own parts.

    Attributes:
        approver: answers permission requests; None is the person at a screen, else nobody.
        hooks: callbacks by event.
        servers: in-process MCP servers by name: an ``mcp`` server instance, or the way to one elsewhere (a
            ``Connect``, or what ``mcp.tunnel.tunnel`` makes).
        mirror: gets a copy of every journal line.
    """

    approver: Approver | None = None
    hooks: Mapping[HookEvent, tuple[HookGroup, ...]] = field(
        default_factory=dict[HookEvent, tuple[HookGroup, ...]]
    )
    servers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    mirror: Mirror | None = None


NO_EXTRAS = Extras()
