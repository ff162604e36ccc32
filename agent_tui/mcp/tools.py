"""A server's tool as one of ours."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from agent_tui.mcp.link import Offer, Progress, ServerError
from agent_tui.mcp.naming import cleaned
from agent_tui.mcp.results import failed, output_of
from agent_tui.protocol.access import Access, AskUser, CallMcp
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.bounding import bounded

CallServer: TypeAlias = Callable[[str, JsonObject, Progress], Awaitable[JsonObject]]
"""Calls a tool of the server by its own name; gives the protocol's result, raises ``ServerError``."""

SHOWN_CHARS = 2_000
"""Of a call's input a person is shown so much."""


@dataclass(frozen=True, slots=True)
class Home:
    """Where a tool lives: the server's name, its label in names, and the way there."""

    server: str
    label: str
    call: CallServer
    always_load: bool = False


class RemoteTool:
    """A tool of a server; a ``Tool`` whose arguments are the input as it came: the server checks it.

    ``server`` and ``offer`` say whose it is and how it was described.
    """

    timeout_hint_ms: int | None = None

    def __init__(self, name: str, offer: Offer, home: Home) -> None:
        self.name = name
        self.offer = offer
        self._home = home
        self.read_only = offer.read_only is True and not offer.for_person

    @property
    def server(self) -> str:
        """The server's name, as configured."""
        return self._home.server

    @property
    def always_load(self) -> bool:
        """Whether its definition is always sent, never left for a search to find."""
        return self._home.always_load or self.offer.always_load

    def schema(self) -> JsonObject:
        """Give the definition sent to the model."""
        return {
            "name": self.name,
            "description": self.offer.description,
            "input_schema": self.offer.schema,
        }

    def parse(self, raw: JsonObject) -> JsonObject:
        """Take the input as it is."""
        return raw

    def access(self, args: JsonObject, cwd: Path) -> Access:
        """Say which tool of which server is called; the person may have to be asked, whatever is allowed."""
        if self.offer.for_person:
            return AskUser()
        return CallMcp(self._home.label, cleaned(self.offer.name), self.read_only)

    def preview(self, args: JsonObject, cwd: Path) -> Display:
        """Show the input."""
        text = json.dumps(args, ensure_ascii=False, indent=1) if args else ""
        return TextDisplay(self._title, text[:SHOWN_CHARS])

    async def proposal(self, args: JsonObject, call: ToolCall) -> Display:
        """Show the input; what would change only the server knows."""
        return self.preview(args, call.cwd)

    async def run(self, args: JsonObject, call: ToolCall) -> ToolOutput:
        """Have the server do it."""

        async def tell(text: str) -> None:
            await call.progress(TextDisplay(self._title, text[:SHOWN_CHARS]))

        try:
            result = await self._home.call(self.offer.name, args, tell)
        except ServerError as error:
            output = failed(f"{self.server} {self.offer.name}: {error}", self._title)
        else:
            output = await output_of(result, self._title)
        return await bounded(output, call, self.offer.max_chars)

    async def ask(self, args: JsonObject) -> JsonObject:
        """Call it outside of a run; gives the protocol's result.

        Raises:
            ServerError: there was none.
        """
        return await self._home.call(self.offer.name, args, _unheard)

    @property
    def _title(self) -> str:
        return f"{self.server}: {self.offer.name}"


async def _unheard(text: str) -> None:
    """Tell nobody how far a call is."""
