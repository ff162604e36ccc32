"""The MCP servers of the session: how they are, what they offer; connect one anew, switch it on or off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, cast

from textual import events
from textual.app import ComposeResult

from agent_tui.link.base import Link
from agent_tui.protocol.queries import Data, Failed, ServerControl, ServerStatus
from agent_tui.tui.facts import counted
from agent_tui.tui.lines import Line, Page, Span, make_line
from agent_tui.tui.look import Look
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.choosing import Choice, ChoiceScreen, Pairs
from agent_tui.tui.theme import TextRole
from agent_tui.view.clean import clean

LEFT: Pairs = (("enter", "connect anew"), ("tab", "switch on or off"), ("esc", "back"))
NONE = "There are no MCP servers. The README tells how to add one."
STATES: Mapping[str, TextRole] = {
    "connected": "ok",
    "failed": "error",
    "needs-auth": "warning",
    "pending": "accent",
}
NAMED = 12
"""Tools that are named of the chosen server."""

Server = Mapping[str, Any]


class _About(Sheet):
    """What is told of the chosen server: its error, or its tools."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="servers-about")
        self.server: Server | None = None
        self.error = ""

    def draw(self, page: Page) -> Sequence[Line]:
        """Make two rows."""
        theme, server = page.theme, self.server
        first: list[Span] = []
        second = ""
        if server is not None:
            named = cast("list[Server]", server.get("tools", []))
            names = ", ".join(str(tool.get("name")) for tool in named[:NAMED])
            more = f", and {len(named) - NAMED} more" if len(named) > NAMED else ""
            info = cast("Server", server.get("serverInfo") or {})
            said = " ".join(str(info[key]) for key in ("name", "version") if info.get(key))
            first = [(clean(said), theme.style("text"))] if said else []
            second = f"{names}{more}"
        error = self.error or str((server or {}).get("error") or "")
        if error:
            first = [(clean(" ".join(error.split())), theme.style("error"))]
        return [make_line(page, first), make_line(page, [(clean(second), theme.style("muted"))])]


class ServersScreen(ChoiceScreen):
    """Shows them; gives nothing."""

    def __init__(self, look: Look, link: Link) -> None:
        super().__init__(look, "MCP servers", hints=(LEFT, ()), note="asking how they are")
        self._link = link
        self._servers: dict[str, Server] = {}
        self._about = _About(look)

    def compose(self) -> ComposeResult:
        """Title, field, list, what is said of the chosen one, hints."""
        yield self.title_row
        yield self.search
        yield self.list
        yield self._about
        yield self.hints

    def on_mount(self) -> None:
        """Ask how they are."""
        super().on_mount()
        self.run_worker(self._load, group="servers")

    async def _load(self) -> None:
        reply = await self._link.ask(ServerStatus())
        if not self.is_attached:
            return
        match reply:
            case Data(data):
                rows = cast("list[Server]", data.get("mcpServers", []))
                self._servers = {str(row["name"]): row for row in rows}
                self.list.note = NONE
                self.show([_choice(row) for row in rows])
                self.moved()
            case Failed(error):
                self.list.show((), clean(error))
            case _:
                pass

    def moved(self) -> None:
        """Tell of the chosen one."""
        chosen = self.list.current
        self._about.server = self._servers.get(chosen.id) if chosen is not None else None
        self._about.error = ""
        self._about.redraw()

    def take(self) -> None:
        """Connect the chosen one anew."""
        self._do("reconnect")

    def key(self, event: events.Key) -> bool:
        """Tab switches the chosen one on or off."""
        chosen = self.list.current
        if event.key != "tab":
            return False
        if chosen is not None:
            off = self._servers[chosen.id].get("status") == "disabled"
            self._do("enable" if off else "disable")
        return True

    def _do(self, action: Literal["reconnect", "enable", "disable"]) -> None:
        chosen = self.list.current
        if chosen is not None:
            self._about.error = ""
            work = partial(self._control, ServerControl(chosen.id, action))
            self.run_worker(work, group="control", exclusive=True)

    async def _control(self, query: ServerControl) -> None:
        reply = await self._link.ask(query)
        if self.is_attached:
            await self._load()
            if isinstance(reply, Failed):
                self._about.error = reply.error
                self._about.redraw()


def _choice(server: Server) -> Choice:
    state = str(server.get("status", ""))
    tools = cast("list[object]", server.get("tools", []))
    fact = counted(len(tools), "tool") if state == "connected" else ""
    about = f"{state}   from {server.get('scope', '')}"
    return Choice(
        str(server["name"]), str(server["name"]), about, fact or state, STATES.get(state, "muted")
    )
