"""All servers of a session: connected side by side, their tools in one fixed order, their state in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

import anyio

from agent_tui.mcp.config import ServerConfig, ServerList
from agent_tui.mcp.connection import Connection, Patience
from agent_tui.mcp.link import Offer, Open, ServerError, Target
from agent_tui.mcp.naming import ambiguous, cleaned, labels, tool_names
from agent_tui.mcp.tools import Home, RemoteTool
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.paths import Environment, logs

Action: TypeAlias = Literal["reconnect", "enable", "disable"]

FILES_WAIT_S = 5.0
"""Seconds a program's first prompt waits for servers it did not name itself."""

GRACE_S = 5.0
"""Seconds more than connecting may take: a server that is given up is ended first, and then its failure is told."""

PERSON_WAIT_S = 1.0
"""Seconds a person's first prompt waits for servers; late ones are there for the next."""


class Servers:
    """The servers of a session.

    Args:
        listed: which there are.
        inside: those the program brings, by name.
        env: variables and home; ``MCP_TIMEOUT`` and ``MCP_TOOL_TIMEOUT`` are milliseconds.
        cwd: the session's folder.
        open_link: connects; None is the real wire.
    """

    def __init__(
        self,
        listed: ServerList,
        inside: Mapping[str, object],
        env: Environment,
        cwd: Path,
        open_link: Open | None = None,
    ) -> None:
        self.notices = listed.notices
        self._patience = _patience(env)
        self._connections = tuple(
            Connection(
                Target(config, env, cwd, _log(env, config.name), inside.get(config.name)),
                self._patience,
                self._touch,
                open_link,
            )
            for config in listed.servers
        )
        self._labels = labels([config.name for config in listed.servers])
        self._changed = True
        self._waited = False
        self._tools: tuple[RemoteTool, ...] = ()
        self._told: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._connections)

    async def serve(self) -> None:
        """Connect them and keep them until cancelled; then they are ended."""
        async with anyio.create_task_group() as group:
            for connection in self._connections:
                group.start_soon(connection.serve)

    async def ready(self, *, person: bool) -> None:
        """Wait a while for those not connected yet, once in a session.

        Those in the program and, where no person waits, those it named are given all the time that connecting may
        take; others only a short one.
        """
        if self._waited:
            return
        self._waited = True
        async with anyio.create_task_group() as group:
            for connection in self._connections:
                group.start_soon(self._wait_for, connection, person)

    async def _wait_for(self, connection: Connection, person: bool) -> None:
        config = connection.target.config
        limit = self._patience.connect_s + GRACE_S
        if config.kind != "sdk" and person:
            limit = PERSON_WAIT_S
        elif config.scope != "dynamic":
            limit = FILES_WAIT_S
        with anyio.move_on_after(limit):
            await connection.settle()

    # Tools ----------------------------------------------------------------------------------------------------------

    @property
    def changed(self) -> bool:
        """Whether tools may have come or gone since they were last taken."""
        return self._changed

    def tools(self) -> tuple[RemoteTool, ...]:
        """Give the tools of all servers that are, or were, connected and are not switched off.

        A server that has died keeps its tools: a call connects it anew, and what is cached stays good.
        """
        if self._changed:
            self._changed = False
            self._tools = self._collect()
        return self._tools

    def _collect(self) -> tuple[RemoteTool, ...]:
        found: dict[str, RemoteTool] = {}
        for connection in self._connections:
            if connection.state == "disabled":
                continue
            config, label = connection.target.config, self._labels[connection.name]
            home = Home(connection.name, label, connection.call, config.always_load)
            offers = {offer.name: offer for offer in connection.listing.offers}
            mark_all = ambiguous(label, self._labels.values())
            names = tool_names(label, offers, mark_all=mark_all)
            for own, name in names.items():
                if (
                    name not in found
                ):  # only a server that wants to be taken for another can come to this
                    found[name] = RemoteTool(name, offers[own], home)
        return tuple(found.values())

    def _touch(self) -> None:
        self._changed = True

    def news(self) -> tuple[str, ...]:
        """Say what went wrong with servers and tools since it was last asked, each thing once."""
        lines: list[str] = []
        for connection in self._connections:
            if connection.state in ("failed", "needs-auth"):
                lines.append(f"MCP server {connection.name}: {connection.error}.")
            lines += (
                f"MCP server {connection.name}: {text}." for text in connection.listing.skipped
            )
        fresh = tuple(line for line in lines if line not in self._told)
        self._told.update(lines)
        return fresh

    def instructions(self) -> dict[str, str]:
        """Give what connected servers say of how they are to be used, by name."""
        return {
            one.name: one.listing.instructions
            for one in self._connections
            if one.state == "connected" and one.listing.instructions
        }

    # State ----------------------------------------------------------------------------------------------------------

    def rows(self) -> list[JsonObject]:
        """Give ``mcp_servers`` of the init message."""
        return [
            {"name": one.name, "status": one.state, "source": _source(one.target.config)}
            for one in self._connections
        ]

    def status(self) -> JsonObject:
        """Give the documented answer to how the servers are."""
        return {"mcpServers": [_status(one) for one in self._connections]}

    async def control(self, name: str, action: Action) -> None:
        """Connect a server anew, or switch it on or off.

        Raises:
            ServerError: there is none of that name, or it could not be connected.
        """
        connection = next((one for one in self._connections if one.name == name), None)
        if connection is None:
            raise ServerError(f"There is no MCP server named {name!r}.")
        try:
            if action == "reconnect":
                await connection.reconnect()
            else:
                await connection.enable(action == "enable")
        except ServerError as error:
            raise ServerError(f"MCP server {name} could not be connected: {error}.") from error


def _status(connection: Connection) -> JsonObject:
    config, listing = connection.target.config, connection.listing
    status: JsonObject = {"name": connection.name, "status": connection.state}
    if connection.state == "connected":
        version = listing.server_version
        status["serverInfo"] = {"name": listing.server_name, "version": version}
    if connection.error:
        status["error"] = connection.error
    status["config"] = config.given
    status["scope"] = config.scope
    if connection.state == "connected":
        status["tools"] = [_tool(offer) for offer in listing.offers]
    return status


def _tool(offer: Offer) -> JsonObject:
    hints = {
        "readOnly": offer.read_only,
        "destructive": offer.destructive,
        "openWorld": offer.open_world,
    }
    told = {name: value for name, value in hints.items() if value is not None}
    return {"name": offer.name, "description": offer.description, "annotations": told}


def _source(config: ServerConfig) -> str:
    return "sdk" if config.kind == "sdk" else config.scope


def _log(env: Environment, name: str) -> Path:
    return logs(env) / f"mcp-{cleaned(name)[:100]}.log"


def _patience(env: Environment) -> Patience:
    usual = Patience()
    return replace(
        usual,
        connect_s=_seconds(env, "MCP_TIMEOUT", usual.connect_s),
        call_s=_seconds(env, "MCP_TOOL_TIMEOUT", usual.call_s),
    )


def _seconds(env: Environment, name: str, usual: float) -> float:
    text = env.get(name)
    return int(text) / 1000 if text.isascii() and text.isdigit() and int(text) > 0 else usual
