"""Lets other windows watch a session: they hear what is said and may ask for pages, and can send nothing.

Nobody who watches can slow the session: what is said is put into a bounded queue of each, and who lets theirs fill has it
thrown away, is told so, and begins anew with the last page.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import anyio
import anyio.to_thread
from anyio.abc import ByteStream, SocketAttribute, SocketListener, SocketStream

from agent_tui.engine.present import Present
from agent_tui.link.lines import LineReader
from agent_tui.link.meeting import clear_away, is_same_person, new_socket_path
from agent_tui.link.wire import (
    Ask,
    Here,
    bye_line,
    gap_line,
    here_line,
    message_line,
    read_upward,
    reply_line,
)
from agent_tui.protocol.errors import AgentTuiError
from agent_tui.protocol.messages import Message, StreamEvent
from agent_tui.protocol.queries import Failed, Page, Query, Reply
from agent_tui.settings.paths import Environment

_log = logging.getLogger(__name__)

MAX_GUESTS = 8
MAX_BEHIND = 4 * 1024 * 1024
"""Bytes that may wait for one who watches."""
MAX_LINE = 64 * 1024
"""Bytes of a question of theirs."""
BYE_SECONDS = 1.0
"""How long they get to hear the end."""
READ_ONLY = "This window only watches the session."


class Answers(Protocol):
    """Answers queries."""

    async def answer(self, query: Query) -> Reply:
        """Answer one.

        Raises:
            AgentTuiError: what was asked for is not there.
        """
        ...


class Guest:
    """One who watches."""

    def __init__(self, stream: ByteStream, answers: Answers, present: Present) -> None:
        self._stream = stream
        self._answers = answers
        self._present = present
        self._queue: deque[bytes] = deque()
        self._size = 0
        self._wake = anyio.Event()
        self._held: list[Message] | None = None
        self._live = False
        self._leaving = False

    async def serve(self, here: Here) -> None:
        """Say where they are, answer them, until they go or ``leave`` was called and all is said."""
        self._put(here_line(here))
        async with anyio.create_task_group() as group:
            group.start_soon(self._read, group.cancel_scope)
            await self._write()
            group.cancel_scope.cancel()

    def offer(self, messages: Sequence[Message], data: bytes) -> None:
        """Take what was said, as messages and as the lines they are; never waits."""
        if self._live:
            self._put(data)
        elif self._held is not None:
            self._held += [m for m in messages if not isinstance(m, StreamEvent)]

    def leave(self) -> None:
        """The session has ended."""
        self._leaving = True
        self._put(bye_line())

    def _put(self, data: bytes) -> None:
        if self._size and self._size + len(data) > MAX_BEHIND:
            self._queue.clear()
            self._size = 0
            if not self._leaving:
                self._live = False
                data = gap_line()
        self._queue.append(data)
        self._size += len(data)
        self._wake.set()

    async def _write(self) -> None:
        while True:
            while self._queue:
                data = self._queue.popleft()
                self._size -= len(data)
                try:
                    await self._stream.send(data)
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    return
            if self._leaving:
                return
            self._wake = anyio.Event()
            await self._wake.wait()

    async def _read(self, scope: anyio.CancelScope) -> None:
        async for raw in LineReader(self._stream, limit=MAX_LINE):
            try:
                item = read_upward(raw)
            except (ValueError, KeyError, TypeError):
                continue
            if isinstance(item, Ask):
                await self._answer(item)
        scope.cancel()  # they have gone

    async def _answer(self, ask: Ask) -> None:
        """Answer a question; the one for the last page also begins, or begins anew, what they hear."""
        query = ask.query
        if not isinstance(query, Page) or query.session_id is not None:
            self._put(reply_line(ask.id, Failed(READ_ONLY)))
            return
        joins = query.before is None
        if joins:
            self._live, self._held = False, []
        try:
            reply: Reply = await self._answers.answer(query)
        except AgentTuiError as error:
            reply = Failed(str(error))
        lines = [reply_line(ask.id, reply)]
        if joins:
            # what was said while the page was read may be missing in it; what it has already is known by its uuid
            held, self._held = self._held or [], None
            lines += map(message_line, (*held, *self._present.messages()))
            self._live = True
        self._put(b"".join(lines))


class Gallery:
    """Where they come in. ``offer`` what is said, in order; ``close`` it at the end."""

    def __init__(self, env: Environment, answers: Answers) -> None:
        self._env = env
        self._answers = answers
        self._present = Present()
        self._guests: list[Guest] = []
        self._begun = anyio.Event()
        self._closed = anyio.Event()
        self._empty = anyio.Event()

    def offer(self, messages: Sequence[Message], data: bytes) -> None:
        """Let those who watch hear it; never waits."""
        for message in messages:
            self._present.note(message)
        for guest in self._guests:
            guest.offer(messages, data)
        if self._present.status is not None:
            self._begun.set()

    def close(self) -> None:
        """The session has ended."""
        self._closed.set()
        self._begun.set()

    async def serve(self) -> None:
        """Let them in until closed; where there is no place for a socket, nobody can come."""
        await self._begun.wait()
        if self._closed.is_set():
            return
        try:
            path, listener = await self._listen()
        except OSError as error:
            _log.info("nobody can watch this session: %s", error)
            return
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(listener.serve, self._let_in)
                await self._closed.wait()
                await self._say_bye()
                group.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await listener.aclose()
                await anyio.to_thread.run_sync(_remove, path)

    async def _listen(self) -> tuple[Path, SocketListener]:
        for last in (False, True):
            path = await anyio.to_thread.run_sync(new_socket_path, self._env)
            try:
                return path, await anyio.create_unix_listener(path, mode=0o600)
            except FileNotFoundError:
                if last:
                    raise  # else: the last session there took the folder away with it
        raise AssertionError("one of the two has returned or raised")

    async def _let_in(self, stream: SocketStream) -> None:
        async with stream:
            status = self._present.status
            known = is_same_person(stream.extra(SocketAttribute.raw_socket))
            if not known or status is None or len(self._guests) >= MAX_GUESTS:
                return
            guest = Guest(stream, self._answers, self._present)
            self._guests.append(guest)
            try:
                await guest.serve(
                    Here(status.session_id, status.cwd, self._present.title, os.getppid())
                )
            finally:
                self._guests.remove(guest)
                if not self._guests:
                    self._empty.set()

    async def _say_bye(self) -> None:
        if self._guests:
            self._empty = anyio.Event()
            for guest in self._guests:
                guest.leave()
            with anyio.move_on_after(BYE_SECONDS):
                await self._empty.wait()


def _remove(path: Path) -> None:
    """Take the socket away, and say nothing of it: the folder may be gone."""
    try:
        clear_away(path)
    except OSError as error:
        _log.info("%s stays: %s", path, error)
