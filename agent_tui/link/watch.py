"""A link to a session that another window has: everything is heard, nothing can be said.

It looks for the session among those that run, and when the session's engine is gone, for a while, for the one that goes on
with it.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import SocketAttribute, SocketStream

from agent_tui.link.base import EngineLost, EngineUp, Incoming, OpenFailed
from agent_tui.link.exchange import Exchange
from agent_tui.link.lines import LineReader
from agent_tui.link.meeting import clear_away, is_same_person, sockets
from agent_tui.link.wire import Answered, Bye, Gap, Here, read_downward
from agent_tui.protocol.messages import ConversationResetMessage, StatusChanged
from agent_tui.protocol.ops import Op
from agent_tui.protocol.queries import FolderOffer, FolderTrust, Query, Reply
from agent_tui.settings.paths import Environment

HELLO_SECONDS = 2.0
"""How long a session may take to say which one it is; one that is suspended says nothing."""
FIRST_LOOK = 1.5
"""Seconds after which a session that is not there is looked for once more."""
LOOK_EVERY = 0.5
LOOK_FOR = 120.0
"""Seconds between two looks for a session that is gone, and in all."""


@dataclass(slots=True)
class _Found:
    here: Here
    stream: SocketStream
    lines: LineReader


class WatchLink:
    """Watches a session; ``serve`` must run in the caller's task group.

    Args:
        env: the variables and the home it sees.
        wanted: the session's id, or how it begins, or its title; empty: the newest in ``cwd``.
        cwd: the folder sessions are looked for in first.
    """

    def __init__(self, env: Environment, wanted: str = "", cwd: str = "") -> None:
        self._env = env
        self._wanted = wanted
        self._cwd = os.path.realpath(cwd)
        self._exchange = Exchange()
        self._closing = anyio.Event()
        self._session_id = ""
        self._front = 0
        self._served = False

    def send(self, op: Op) -> None:
        """Do nothing: who watches can't send."""

    async def ask(self, query: Query) -> Reply:
        """Ask; whether the folder is to be trusted is the other window's affair."""
        if isinstance(query, FolderTrust):
            return FolderOffer()
        return await self._exchange.ask(query)

    def messages(self) -> AsyncIterator[Incoming]:
        """Give the one stream of what is said."""
        return self._exchange.messages()

    async def serve(self) -> None:
        """Watch until closed, or until the session is gone and does not come back."""
        self._served = True
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._watch, group.cancel_scope)
                await self._closing.wait()
                group.cancel_scope.cancel()
        finally:
            self._exchange.end()

    async def aclose(self) -> None:
        """Let go; the session does not notice."""
        self._closing.set()
        self._exchange.close_heard()
        if not self._served:
            self._exchange.end()
        with anyio.move_on_after(1):
            await self._exchange.ended.wait()

    async def _watch(self, scope: anyio.CancelScope) -> None:
        found, others = await self._find()
        if found is None:  # it may have been started at the same time
            await anyio.sleep(FIRST_LOOK)
            found, others = await self._find()
        if found is None:
            await self._exchange.tell(OpenFailed(self._nothing(others)))
        again = False
        while found is not None:
            self._session_id, self._front = found.here.session_id, found.here.front
            await self._exchange.tell(EngineUp(restarted=again))
            reason = await self._talk(found)
            self._exchange.drop_unwritten()
            self._exchange.fail_all(reason)
            await self._exchange.tell(EngineLost(reason))
            found, again = await self._find_again(), True
            if found is None:
                await self._exchange.tell(EngineLost(reason, restarting=False))
        scope.cancel()

    async def _talk(self, found: _Found) -> str:
        """Hear what is said until it ends; give why."""
        reason = "its engine is gone"
        async with found.stream, anyio.create_task_group() as group:
            group.start_soon(self._exchange.write_to, found.stream)
            async for raw in found.lines:
                try:
                    heard = read_downward(raw)
                except ValueError:
                    continue  # a record this version can't read is skipped, like an unknown one
                match heard:
                    case Answered():
                        self._exchange.settle(heard)
                    case Gap():
                        await self._exchange.tell(EngineUp(restarted=True))
                    case Bye():
                        reason = "the session has ended"
                    case None | Here():
                        pass
                    case _:
                        self._note(heard)
                        await self._exchange.tell(heard)
            group.cancel_scope.cancel()
        return reason

    def _note(self, heard: Incoming) -> None:
        match heard:
            case StatusChanged(session_id=session_id):
                self._session_id = session_id
            case ConversationResetMessage(new_conversation_id=session_id):
                self._session_id = session_id
            case _:
                pass

    async def _find(self) -> tuple[_Found | None, list[Here]]:
        """Look for the wanted session; give it, and those that run beside it."""
        others: list[Here] = []
        for path in await anyio.to_thread.run_sync(sockets, self._env):
            met = await self._meet(path)
            if met is None:
                continue
            if self._is_wanted(met.here):
                return met, others
            others.append(met.here)
            await met.stream.aclose()
        return None, others

    async def _find_again(self) -> _Found | None:
        """Look, for a while, for what goes on with the session: its engine's successor, or another window."""
        with anyio.move_on_after(LOOK_FOR):
            while True:
                for path in await anyio.to_thread.run_sync(sockets, self._env):
                    met = await self._meet(path)
                    if met is None:
                        continue
                    same_front = bool(self._front) and met.here.front == self._front
                    if met.here.session_id == self._session_id or same_front:
                        return met
                    await met.stream.aclose()
                await anyio.sleep(LOOK_EVERY)
        return None

    async def _meet(self, path: Path) -> _Found | None:
        """Connect, and hear which session it is; None where nobody of ours answers."""
        try:
            stream = await anyio.connect_unix(path)
        except ConnectionRefusedError:
            await anyio.to_thread.run_sync(clear_away, path)
            return None
        except OSError:
            return None
        if is_same_person(stream.extra(SocketAttribute.raw_socket)):
            lines = LineReader(stream)
            with anyio.move_on_after(HELLO_SECONDS):
                async for raw in lines:
                    here = read_downward(raw)
                    if isinstance(here, Here):
                        return _Found(here, stream, lines)
                    break
        await stream.aclose()
        return None

    def _is_wanted(self, here: Here) -> bool:
        if not self._wanted:
            return os.path.realpath(here.cwd) == self._cwd
        wanted = self._wanted.casefold()
        return here.session_id.startswith(wanted) or here.title.casefold() == wanted

    def _nothing(self, others: list[Here]) -> str:
        what = f"no session {self._wanted!r} is running" if self._wanted else "no session is running in this folder"  # fmt: skip
        if not others:
            return f"{what}; there is nothing to watch"
        rows = "".join(f"\n  {here.session_id}  {here.title or here.cwd}" for here in others)
        return f"{what}. Running are:{rows}"
