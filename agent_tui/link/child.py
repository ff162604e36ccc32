"""The engine in a process of its own: JSON lines over a socket pair, restarts by the journal.

The front end never imports the engine: it starts ``python -m agent_tui.engine.host`` and talks. When the engine dies
the link says so, ends what it left behind, starts a new one and has it resume the session; prompts the dead engine
had not begun with are handed back and don't run by themselves. When the front end dies the socket closes, and the
engine ends itself and its children.
"""

from __future__ import annotations

import dataclasses
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from functools import partial
from pathlib import Path

import anyio
from anyio.abc import Process, SocketStream

from agent_tui.link.base import EngineLost, EngineUp, Incoming, OpenFailed
from agent_tui.link.exchange import Exchange
from agent_tui.link.lines import LineReader
from agent_tui.link.wire import Answered, Bye, Gap, Here, op_line, read_downward
from agent_tui.machine.orphans import become_subreaper, end_descendants
from agent_tui.protocol.messages import (
    AssistantMessage,
    ConversationResetMessage,
    QueuedPrompt,
    ResultMessage,
    StatusChanged,
    UserMessage,
)
from agent_tui.protocol.ops import Op, Open, Prompt, Stop
from agent_tui.protocol.queries import Query, Reply
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.settings.paths import Environment, logs
from agent_tui.settings.private import make_private_folder

CLOSE_SECONDS = 4.0
"""How long the engine gets to end by itself."""
MAX_RESTARTS = 3
RESTART_WINDOW = 60.0
"""More than ``MAX_RESTARTS`` deaths within this many seconds: give up."""


class ChildLink:
    """A link to an engine that this process starts; ``serve`` must run in the caller's task group."""

    def __init__(self, env: Environment, *, python: str = sys.executable) -> None:
        self._env = env
        self._python = python
        self._exchange = Exchange()
        self._process: Process | None = None
        self._open: Open | None = None
        self._session_id: str | None = None
        self._begun = False
        self._unsent: dict[str, QueuedPrompt] = {}
        self._served = False
        self._closing = False
        self._refused = False
        self._deaths: list[float] = []

    @property
    def engine_pid(self) -> int | None:
        """The engine's process id while it lives."""
        return None if self._process is None else self._process.pid

    def send(self, op: Op) -> None:
        """Hand an op over; kept in order until the engine reads it."""
        if isinstance(op, Open):
            self._open = op
        elif isinstance(op, Prompt):
            self._unsent[op.uuid] = QueuedPrompt(op.uuid, op.text, op.shell)
        self._exchange.put(op_line(op))

    async def ask(self, query: Query) -> Reply:
        """Ask; ``Failed`` when the engine goes before it has answered."""
        return await self._exchange.ask(query)

    def messages(self) -> AsyncIterator[Incoming]:
        """Give the one stream of what is said; what comes after ``aclose`` was called is dropped."""
        return self._exchange.messages()

    async def serve(self) -> None:
        """Run the engine until closed; restart it when it dies. Ends when the link is closed or given up."""
        if self._closing:
            return
        become_subreaper()
        self._served = True
        try:
            restarted = False
            while await self._one_engine(restarted=restarted):
                restarted = True
        finally:
            self._exchange.end()

    async def aclose(self) -> None:
        """Stop the session; the engine and its children are gone when this returns."""
        self._closing = True
        self._exchange.close_heard()
        if not self._served:
            self._exchange.end()
        self._exchange.put(op_line(Stop()))
        with anyio.move_on_after(CLOSE_SECONDS):
            await self._exchange.ended.wait()
        if not self._exchange.ended.is_set():
            self._kill()
            with anyio.move_on_after(1):
                await self._exchange.ended.wait()

    async def _one_engine(self, *, restarted: bool) -> bool:
        """Start an engine and talk until it goes; tell whether another one is to be started."""
        ours, theirs = socket.socketpair()
        log = _open_log(self._env)
        try:
            self._process = await anyio.open_process(
                [self._python, "-m", "agent_tui.engine.host", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env=_child_variables(self._env.variables),
            )
        finally:
            theirs.close()
            if isinstance(log, int) and log >= 0:
                os.close(log)
        if restarted and self._open is not None:
            self._exchange.put(op_line(self._reopen(self._open)), first=True)
        stream = await SocketStream.from_socket(ours)
        reason = ""
        try:
            await self._talk(stream, restarted=restarted)
        finally:
            with anyio.CancelScope(shield=True):
                await stream.aclose()
                reason = await self._reap()
        if self._closing or self._refused:
            return False
        return await self._lost(reason)

    async def _talk(self, stream: SocketStream, *, restarted: bool) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._exchange.write_to, stream)
            async for raw in LineReader(stream):
                try:
                    heard = read_downward(raw)
                except ValueError:
                    continue  # a record this version can't read is skipped, like an unknown one
                if isinstance(heard, Answered):
                    self._exchange.settle(heard)
                elif heard is not None and not isinstance(heard, Here | Gap | Bye):
                    if isinstance(heard, EngineUp):
                        heard = EngineUp(restarted)
                    self._note(heard)
                    await self._exchange.tell(heard)
            group.cancel_scope.cancel()

    def _note(self, heard: Incoming) -> None:
        """Remember what a new engine would have to know."""
        match heard:
            case StatusChanged(session_id=session_id):
                self._session_id = session_id
            case ConversationResetMessage(new_conversation_id=session_id):
                self._session_id, self._begun = session_id, False
            case UserMessage(uuid=uuid):
                self._begun = True
                self._unsent.pop(uuid or "", None)
            case AssistantMessage():
                self._begun = True
            case ResultMessage(user_message_uuid=uuid):
                self._unsent.pop(uuid or "", None)
            case OpenFailed():
                self._refused = True
            case _:
                pass

    def _reopen(self, first: Open) -> Open:
        options = Options.from_json(first.options)
        if self._begun and self._session_id is not None:
            session = SessionOptions(resume=self._session_id)
            options = dataclasses.replace(options, session=session)
        return Open(options.to_json())

    async def _lost(self, reason: str) -> bool:
        self._exchange.drop_unwritten()
        self._exchange.fail_all("the engine stopped before it answered")
        unsent = tuple(self._unsent.values())
        self._unsent = {}
        now = anyio.current_time()
        self._deaths = [at for at in self._deaths if now - at < RESTART_WINDOW] + [now]
        again = len(self._deaths) <= MAX_RESTARTS
        await self._exchange.tell(EngineLost(reason, restarting=again, unsent=unsent))
        return again

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)

    async def _reap(self) -> str:
        """Wait for the engine's end, kill it when it lingers, end what it left; say how it ended."""
        process = self._process
        if process is None:
            return "it did not start"
        with anyio.move_on_after(CLOSE_SECONDS):
            await process.wait()
        if process.returncode is None:
            self._kill()
            await process.wait()
        await process.aclose()
        self._process = None
        # what runs in our own terminal session (the person's editor) is ours, not the engine's
        end = partial(end_descendants, spare_session=os.getsid(0))
        await anyio.to_thread.run_sync(end)
        code = process.returncode
        if code is not None and code < 0:
            return f"it was ended by {signal.Signals(-code).name}"
        return f"it ended with code {code}; its log is {logs(self._env) / 'engine.log'}"


def _child_variables(variables: Mapping[str, str]) -> dict[str, str]:
    return {**variables, "PYTHONUNBUFFERED": "1"}


def _open_log(env: Environment) -> int:
    """Open the log for the engine's error output; ``DEVNULL`` where there can be none."""
    folder = logs(env)
    try:
        make_private_folder(folder)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        return os.open(Path(folder) / "engine.log", flags, 0o600)
    except OSError:
        return subprocess.DEVNULL
