"""The engine's process: serves one session over the socket it was given, and answers queries before and after.

``python -m agent_tui.engine.host FD``. It ends when told to, or when the socket closes because the front end is gone;
its children end with it.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator

import anyio
from anyio.abc import SocketStream

from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.engine.replies import Answerer
from agent_tui.engine.watching import Gallery
from agent_tui.link.base import OpenFailed
from agent_tui.link.lines import LineReader
from agent_tui.link.merge import is_delta, join_deltas
from agent_tui.link.wire import (
    Ask,
    Upward,
    failed_line,
    message_line,
    read_upward,
    reply_line,
    up_line,
)
from agent_tui.loop.hub import Subscription
from agent_tui.machine.orphans import become_subreaper, end_descendants
from agent_tui.protocol.errors import AgentTuiError, ModelError, SettingsError, UsageError
from agent_tui.protocol.messages import Message
from agent_tui.protocol.ops import Open, Stop
from agent_tui.protocol.queries import Failed
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.view.logs import SafeFormatter

_log = logging.getLogger(__name__)

JOIN_SECONDS = 0.016
"""How long a delta waits for its followers before it crosses."""
MAX_BATCH = 512

QUIET = ("anthropic", "httpcore2", "httpx2")
"""Packages whose everyday log holds addresses, headers and bodies: only what goes wrong there is kept."""


class Host:
    """One front end's engine."""

    def __init__(self, stream: SocketStream, env: Environment) -> None:
        self._stream = stream
        self._env = env
        self._sending = anyio.Lock()
        self._answerer = Answerer(env)
        self._gallery = Gallery(env, self._answerer)

    async def serve(self) -> None:
        """Read ops and queries until the front end is gone or says Stop."""
        lines = aiter(LineReader(self._stream))
        async with anyio.create_task_group() as group:
            opening = await self._until_open(lines, group)
            if opening is not None:
                await self._session(opening, lines, group)
            group.cancel_scope.cancel()

    async def _until_open(
        self, lines: AsyncIterator[bytes], group: anyio.abc.TaskGroup
    ) -> Open | None:
        async for raw in lines:
            match _read(raw):
                case Ask() as ask:
                    group.start_soon(self._reply, ask)
                case Open() as opening:
                    return opening
                case Stop():
                    return None
                case _:
                    pass  # nothing is open that the op could act on
        return None

    async def _session(
        self, opening: Open, lines: AsyncIterator[bytes], group: anyio.abc.TaskGroup
    ) -> None:
        async def body(opened: OpenSession) -> None:
            self._answerer.attach(opened)
            # it ends with the session, not with this: what is said at the end is heard too
            telling.start_soon(self._tell, opened.session.subscribe())
            telling.start_soon(self._gallery.serve)
            await self._send(up_line(restarted=False))
            opened.session.announce()
            async for raw in lines:
                item = _read(raw)
                if isinstance(item, Ask):
                    group.start_soon(self._reply, item)
                elif isinstance(item, Stop):
                    break
                elif item is not None and not isinstance(item, Open):
                    opened.session.send(item)

        async with anyio.create_task_group() as telling:
            try:
                await with_session(Options.from_json(opening.options), self._env, body)
            except AgentTuiError as error:
                await self._send(failed_line(OpenFailed(str(error), _kind(error))))

    async def _reply(self, ask: Ask) -> None:
        try:
            reply = await self._answerer.answer(ask.query)
        except AgentTuiError as error:
            reply = Failed(str(error))
        await self._send(reply_line(ask.id, reply))

    async def _tell(self, messages: Subscription) -> None:
        """Send what is said; deltas are joined for a moment, everything else goes at once."""
        try:
            with messages:
                async for message in messages:
                    batch: list[Message] = [message]
                    if is_delta(message):
                        await anyio.sleep(JOIN_SECONDS)
                    while len(batch) < MAX_BATCH and (more := messages.waiting()) is not None:
                        batch.append(more)
                    batch = join_deltas(batch)
                    data = b"".join(map(message_line, batch))
                    self._gallery.offer(batch, data)
                    await self._send(data)
        finally:
            self._gallery.close()

    async def _send(self, data: bytes) -> None:
        try:
            async with self._sending:
                await self._stream.send(data)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # the front end is gone; the reading side notices and ends the session


def _read(raw: bytes) -> Upward | None:
    """Read a line; one that this version can't read is left out, the session goes on."""
    try:
        return read_upward(raw)
    except (ValueError, KeyError, TypeError) as error:
        _log.warning("a line that can't be read was left out: %s", type(error).__name__)
        return None


def _kind(error: AgentTuiError) -> str:
    if isinstance(error, SettingsError):
        return "settings"
    if isinstance(error, UsageError):
        return "usage"
    if isinstance(error, ModelError):
        return "model"
    return "session"


def log_to_stderr(env: Environment) -> None:
    """Send the log to standard error, which the front end has turned into ``logs/engine.log``."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(SafeFormatter(masker_of(env)))
    logging.basicConfig(handlers=[handler])
    logging.getLogger("agent_tui").setLevel(logging.INFO)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


async def _main(fd: int) -> None:
    stream = await SocketStream.from_socket(socket.socket(fileno=fd))
    async with stream:
        await Host(stream, Environment.of_process()).serve()


def main() -> int:
    """Serve over the file descriptor named on the command line."""
    log_to_stderr(Environment.of_process())
    become_subreaper()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl+C is the screen's affair
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    fd = int(sys.argv[1])
    os.set_inheritable(fd, False)
    try:
        anyio.run(_main, fd)
    finally:
        end_descendants()
    return 0


if __name__ == "__main__":
    sys.exit(main())
