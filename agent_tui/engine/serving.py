"""MCP servers in a session: its tools as they come and go, and answers to how the servers are."""

from __future__ import annotations

from collections.abc import Mapping

from agent_tui.engine.foundation import Foundation
from agent_tui.loop.record import Recorder
from agent_tui.mcp.link import ServerError
from agent_tui.mcp.servers import Servers
from agent_tui.mcp.tools import RemoteTool
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.queries import Data, Failed, Reply, ServerControl, ServerStatus
from agent_tui.tools.base import ToolSet


class Serving:
    """The servers of one session.

    Args:
        servers: all there are, perhaps none.
        tools: the session's tools; those of servers are added to it.
        rules: what they say hides a tool from the model.
        record: what went wrong is said there.
        person: a person waits for the first prompt's answer.
    """

    def __init__(
        self, servers: Servers, tools: ToolSet, rules: RuleBook, record: Recorder, *, person: bool
    ) -> None:
        self._servers = servers
        self._tools = tools
        self._rules = rules
        self._record = record
        self._person = person
        self._explained: set[str] = set()

    @classmethod
    def of(cls, base: Foundation, inside: Mapping[str, object], record: Recorder) -> Serving:
        """Make it for a session; ``inside`` are the servers that the program brings itself."""
        servers = Servers(base.servers, inside, base.env, base.cwd)
        person = base.options.interactive
        return cls(servers, base.tools, base.rules, record, person=person)

    async def serve(self) -> None:
        """Say which were left out, and keep the others until cancelled; without any, nothing is loaded."""
        for text in self._servers.notices:
            await self._record.system("informational", content=text, level="warning")
        if self._servers:
            await self._servers.serve()

    async def ready(self) -> tuple[str, ...]:
        """Begin a prompt with the servers' tools as they are now; gives what the model is to be told of servers.

        Other tools mean another beginning of every request, and what was cached of it is lost. So tools that come
        late, change or go do so between two runs only, never inside one.
        """
        await self._servers.ready(person=self._person)
        for text in self._servers.news():
            await self._record.system("informational", content=text, level="warning")
        if self._servers.changed:
            own = (tool for tool in self._tools.tools if not isinstance(tool, RemoteTool))
            theirs = (t for t in self._servers.tools() if not self._rules.hides(t.name))
            self._tools.renew((*own, *theirs))
        return self._explanations()

    def _explanations(self) -> tuple[str, ...]:
        """Give the instructions of servers that the model has not been told of; said once, so that nothing moves."""
        new = {
            name: text
            for name, text in self._servers.instructions().items()
            if name not in self._explained
        }
        self._explained.update(new)
        return tuple(f"How the MCP server {name} is to be used:\n{new[name]}" for name in new)

    def rows(self) -> list[JsonObject]:
        """Give ``mcp_servers`` of the init message."""
        return self._servers.rows()

    async def answer(self, query: ServerStatus | ServerControl) -> Reply:
        """Answer a front end's query."""
        if isinstance(query, ServerStatus):
            return Data(self._servers.status())
        try:
            await self._servers.control(query.name, query.action)
        except ServerError as error:
            return Failed(str(error))
        return Data({})
