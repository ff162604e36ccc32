"""The words between a connection and the wire: what a server offers, what a call gave, and why there is none.

Plain data, so that everything but the wire itself does without the package ``mcp``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from agent_tui.mcp.config import ServerConfig
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import AgentTuiError
from agent_tui.settings.paths import Environment


class ServerError(AgentTuiError):
    """A server can't be reached or gave no answer; the text says why. ``needs_auth``: it wants to know who asks."""

    def __init__(self, text: str, *, needs_auth: bool = False) -> None:
        super().__init__(text)
        self.needs_auth = needs_auth


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool as its server describes it. ``schema`` is one the API takes; None hints were not given.

    ``max_chars`` is the length of a result that the server asks for; ``for_person``: the person must be asked
    before each call.
    """

    name: str
    description: str = ""
    schema: JsonObject = field(default_factory=dict[str, Any])
    read_only: bool | None = None
    destructive: bool | None = None
    open_world: bool | None = None
    for_person: bool = False
    always_load: bool = False
    max_chars: int | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a connected server is and offers, by name; ``skipped`` are sentences about tools left out."""

    offers: tuple[Offer, ...] = ()
    skipped: tuple[str, ...] = ()
    server_name: str = ""
    server_version: str = ""
    instructions: str = ""


Progress: TypeAlias = Callable[[str], Awaitable[None]]
"""Told in words how far a call is."""


class Link(Protocol):
    """A conversation with a connected server."""

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet, as far as is known."""
        ...

    async def listing(self) -> Listing:
        """Ask what it offers.

        Raises:
            ServerError: it did not say.
        """
        ...

    async def call(self, tool: str, args: JsonObject, tell: Progress) -> JsonObject:
        """Call a tool; gives the protocol's ``CallToolResult``. Cancelling tells the server.

        Raises:
            ServerError: it refused, ended or gave no valid result.
        """
        ...

    async def news(self) -> bool:
        """Wait until it says that its tools have changed (True) or has ended (False)."""
        ...


Stay: TypeAlias = Callable[[Link], Awaitable[None]]
"""Holds the conversation; when it returns, the server is left."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be connected, and from where.

    ``instance`` is the server in the program, for ``sdk``. ``log`` takes a server's standard error.
    """

    config: ServerConfig
    env: Environment
    cwd: Path
    log: Path
    instance: object = None


Open: TypeAlias = Callable[[Target, Stay], Awaitable[None]]
"""Connects a target, runs ``Stay`` with the link, and leaves. Raises ``ServerError``."""
