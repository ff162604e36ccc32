"""One server: a task that connects it, keeps it and leaves it, in that very task; and calls, from any task.

A connection outlives what happens to it. A call that takes too long or is interrupted ends alone. A server that dies
fails the calls that wait for it at once; the next call connects it anew.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import anyio
from anyio import to_thread

from agent_tui.mcp.link import Link, Listing, Open, Progress, ServerError, Stay, Target
from agent_tui.protocol.content import JsonObject

_log = logging.getLogger(__name__)

State: TypeAlias = Literal["connected", "failed", "needs-auth", "pending", "disabled"]

FIRST_TRIES: Sequence[float] = (1.0, 2.0)
"""Seconds before the second and third try to reach a server that is elsewhere."""

AGAIN: Sequence[float] = (1.0, 2.0, 4.0, 8.0, 16.0)
"""The same, once it had been connected."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits in seconds: of connecting, and of one call."""

    connect_s: float = 30.0
    call_s: float = 100_000.0


Changed: TypeAlias = Callable[[], None]
"""Told whenever a server's state or tools have changed."""


class Connection:
    """A server's connection, for the length of a session.

    Args:
        target: the server.
        patience: its limits; the configured limit of a call goes before.
        changed: told of every change.
        open_link: connects; None is the real wire, loaded when it is needed.
    """

    def __init__(
        self, target: Target, patience: Patience, changed: Changed, open_link: Open | None = None
    ) -> None:
        self.target = target
        self.state: State = "pending"
        self.error = ""
        self.listing = Listing()
        self._patience = patience
        self._changed = changed
        self._open = open_link or _open
        self._link: Link | None = None
        self._enabled = True
        self._wished = anyio.Event()
        self._turn = anyio.Event()
        self._scope = anyio.CancelScope()

    @property
    def name(self) -> str:
        """The server's name, as configured."""
        return self.target.config.name

    @property
    def settled(self) -> bool:
        """Whether it is known by now how it is."""
        return self.state != "pending"

    # The task -------------------------------------------------------------------------------------------------------

    async def serve(self) -> None:
        """Connect and keep the server until cancelled."""
        while True:
            self._wished = anyio.Event()
            if self._enabled:
                await self._try()
            if self._wished.is_set():
                continue
            if not self._enabled:
                self._set("disabled")
            await self._wished.wait()

    async def _try(self) -> None:
        """Connect, and stay; again after a while where that makes sense."""
        waits = list(FIRST_TRIES)
        while True:
            stayed = await self._once()
            if self._wished.is_set() or self.state == "needs-auth":
                return
            waits = list(AGAIN) if stayed else waits
            if self.target.config.kind in ("stdio", "sdk") or not waits:
                return
            with anyio.move_on_after(waits.pop(0)):
                await self._wished.wait()
                return

    async def _once(self) -> bool:
        """Connect, stay until it ends, leave. Tells whether it was connected."""
        self._set("pending")
        stayed = False

        async def stay(link: Link) -> None:
            nonlocal stayed
            self.listing = await link.listing()
            await anyio.lowlevel.checkpoint()  # reading the list may have taken all of the time
            self._scope.deadline = math.inf
            stayed = True
            self._link = link
            self._set("connected")
            try:
                while await link.news():
                    self.listing = await link.listing()
                    self._changed()
            finally:
                self._link = None

        fault = ServerError("the server has ended")
        limit = self._patience.connect_s
        self._scope = anyio.CancelScope(deadline=anyio.current_time() + limit)
        try:
            with self._scope:
                await self._open(self.target, stay)
        except ServerError as error:
            fault = error
        if self._scope.cancelled_caught and not stayed:
            fault = ServerError(f"it did not answer within {limit:g} s")
        if not self._wished.is_set():
            _log.info("MCP server %s: %s", self.name, fault)
            self._set("needs-auth" if fault.needs_auth else "failed", str(fault))
        return stayed

    def _set(self, state: State, error: str = "") -> None:
        self.state, self.error = state, error
        turn, self._turn = self._turn, anyio.Event()
        turn.set()
        self._changed()

    # Wishes ---------------------------------------------------------------------------------------------------------

    async def settle(self) -> None:
        """Wait until it is known whether it can be connected."""
        while not self.settled:
            await self._turn.wait()

    async def reconnect(self) -> None:
        """Leave the server and connect it anew.

        Raises:
            ServerError: that failed.
        """
        if not self._enabled:
            raise ServerError("it is switched off")
        self._wish()
        await self.settle()
        if self.state != "connected":
            raise ServerError(self.error)

    async def enable(self, on: bool) -> None:
        """Switch it on or off.

        Raises:
            ServerError: it is on now, and could not be connected.
        """
        if on == self._enabled:
            return
        self._enabled = on
        self._wish()
        await self.settle()
        if on and self.state != "connected":
            raise ServerError(self.error)

    def _wish(self) -> None:
        self._set("pending" if self._enabled else "disabled")
        self._wished.set()
        self._scope.cancel()

    # Calls ----------------------------------------------------------------------------------------------------------

    async def call(self, tool: str, args: JsonObject, progress: Progress) -> JsonObject:
        """Call a tool; a server that is gone is connected first.

        Raises:
            ServerError: there was no result, and why.
        """
        limit = self.target.config.timeout_s or self._patience.call_s
        link = await self._connected()
        with anyio.move_on_after(limit) as scope:
            return await link.call(tool, args, progress)
        assert scope.cancelled_caught
        raise ServerError(f"the call took longer than {limit:g} s and was given up")

    async def _connected(self) -> Link:
        if not self._enabled:
            raise ServerError("the server is switched off")
        if self._link is None or not self._link.alive:
            if self.settled:
                self._wish()
            await self.settle()
        if self._link is None:
            raise ServerError(f"the server can't be reached: {self.error}")
        return self._link


async def _open(target: Target, stay: Stay) -> None:
    """Connect for real: the door to the package ``mcp``, which takes half a second to load."""
    await (await to_thread.run_sync(_wire, abandon_on_cancel=True))(target, stay)


def _wire() -> Callable[[Target, Stay], Awaitable[None]]:
    # door: only a session with servers pays for the package
    from agent_tui.mcp.wire import open_link

    return open_link
