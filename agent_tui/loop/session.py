"""A session: one journal, one conversation, an inbox of ops, at most one run at a time.

``serve`` is its one task: it takes ops in order and never works itself. A run is a child task with a cancel scope of
its own; an interrupt cancels that scope, and the run leaves a valid history and its result behind.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import anyio
from anyio.abc import TaskGroup

from agent_tui.loop.approvals import Desk
from agent_tui.loop.hub import Hub, Subscription
from agent_tui.loop.queue import PromptQueue
from agent_tui.loop.record import Recorder
from agent_tui.loop.status import Status
from agent_tui.protocol.background import Background
from agent_tui.protocol.errors import AgentTuiError, PortError, UsageError
from agent_tui.protocol.ops import (
    Answer,
    EditQueue,
    Interrupt,
    Op,
    Open,
    Prompt,
    Rename,
    SetMode,
    SetModel,
    SetThinking,
    Stop,
    StopTask,
)

T = TypeVar("T")

_log = logging.getLogger(__name__)

BUSY = "The agent is at work; stop it first, or wait until it is done."
INTERRUPT_SECONDS = 2.0
"""How long a run may take to clean up after an interrupt before the session goes on without waiting."""


class Runner(Protocol):
    """Runs one prompt, or a slash command, to its result."""

    async def __call__(self, prompt: Prompt) -> None:
        """Run it; cancelling interrupts it, its result is said all the same."""
        ...


class Controls(Protocol):
    """What ops other than prompts change."""

    async def set_mode(self, op: SetMode) -> None:
        """Change the permission mode."""
        ...

    async def set_model(self, op: SetModel) -> None:
        """Change the model."""
        ...

    async def set_thinking(self, op: SetThinking) -> None:
        """Change how much the model may think."""
        ...

    async def rename(self, op: Rename) -> None:
        """Give the session a title."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a session is made of; put together by ``engine/wiring.py``.

    ``fail`` says and writes the result of a run that broke for a reason of our own. ``background`` is what a person
    can stop, where there is something.
    """

    hub: Hub
    record: Recorder
    status: Status
    queue: PromptQueue
    desk: Desk | None
    run: Runner
    controls: Controls
    fail: Callable[[BaseException, Prompt], Awaitable[None]]
    background: Background | None = None


@dataclass(frozen=True, slots=True)
class _Alone:
    """Somebody else's work that no run may go beside. ``busy`` tells them that one goes."""

    begin: anyio.Event = field(default_factory=anyio.Event)
    done: anyio.Event = field(default_factory=anyio.Event)
    busy: anyio.Event = field(default_factory=anyio.Event)


class Session:
    """Takes ops, says messages."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._send, self._inbox = anyio.create_memory_object_stream[Op | _Alone](math.inf)
        self._scope: anyio.CancelScope | None = None
        self._stopped = anyio.Event()
        self._idle = anyio.Event()
        self._moved = anyio.Event()
        self._untaken = 0
        self._closing = False

    @property
    def record(self) -> Recorder:
        """The session's writer, and through it the conversation."""
        return self._parts.record

    @property
    def busy(self) -> bool:
        """Whether a run is going."""
        return self._scope is not None

    def send(self, op: Op) -> None:
        """Take an op; never waits."""
        try:
            self._send.send_nowait(op)
            self._untaken += 1
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            _log.info("op after the session's end: %s", type(op).__name__)

    async def alone(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do some work in its turn among the ops, in the caller's task; no run begins meanwhile.

        Raises:
            UsageError: a run goes, or the session is over.
        """
        turn = _Alone()
        try:
            self._send.send_nowait(turn)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise UsageError("The session is over.") from None
        self._untaken += 1
        try:
            await turn.begin.wait()
            if turn.busy.is_set():
                raise UsageError(BUSY)
            return await work()
        finally:
            turn.done.set()

    def subscribe(self, *, deltas: bool = True) -> Subscription:
        """Listen to what is said from now on."""
        return self._parts.hub.subscribe(deltas=deltas)

    def announce(self) -> None:
        """Have the state said again, for a listener that has just come."""
        self._parts.status.announce()

    async def at_rest(self) -> None:
        """Wait until no run goes and none is waited for."""
        while not self._stopped.is_set() and (self.busy or self._parts.queue or self._untaken):
            await self._moved.wait()

    async def stopped(self) -> None:
        """Wait until the session has ended."""
        await self._stopped.wait()

    async def end(self) -> None:
        """Have it end, and wait until it has."""
        self.send(Stop())
        await self._stopped.wait()

    async def serve(self) -> None:
        """Take ops until ``Stop``; what runs then is interrupted first."""
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._parts.status.serve)
                async for op in self._inbox:
                    if isinstance(op, Stop):
                        break
                    await self._take(op, group)
                    self._untaken -= 1
                    self._move()
                await self._end_run()
                group.cancel_scope.cancel()
        finally:
            self._send.close()
            self._turn_away()
            self._inbox.close()
            try:
                with anyio.CancelScope(shield=True):
                    await self._parts.record.sync()
            finally:  # an event loop that ends cancels through every shield; who waits must hear of the end
                self._parts.hub.close()
                self._stopped.set()
                self._move()

    def _turn_away(self) -> None:
        """Let nobody wait for a turn that does not come any more."""
        while self._inbox.statistics().current_buffer_used:
            op = self._inbox.receive_nowait()
            if isinstance(op, _Alone):
                op.busy.set()
                op.begin.set()

    async def _take(self, op: Op | _Alone, group: TaskGroup) -> None:
        match op:
            case _Alone():
                if self.busy:
                    op.busy.set()
                op.begin.set()
                await op.done.wait()
            case Prompt():
                await self._parts.queue.add(op)
                self._start_next(group)
            case EditQueue(items=items):
                await self._parts.queue.replace(items)
                self._start_next(group)
            case Interrupt():
                if self._scope is not None:
                    self._scope.cancel()
            case Answer(request_id, answer):
                if self._parts.desk is not None:
                    await self._parts.desk.answer(request_id, answer)
            case SetMode():
                await self._parts.controls.set_mode(op)
            case SetModel():
                await self._parts.controls.set_model(op)
            case SetThinking():
                await self._parts.controls.set_thinking(op)
            case Rename():
                await self._parts.controls.rename(op)
            case StopTask(task_id):
                group.start_soon(self._stop_task, task_id)
            case Open() | Stop():
                pass

    async def _stop_task(self, task_id: str) -> None:
        background = self._parts.background
        try:
            if background is not None:
                await background.stop(task_id, by_person=True)
        except PortError as error:
            await self._parts.record.system("informational", content=str(error), level="warning")

    def _start_next(self, group: TaskGroup) -> None:
        if self._scope is None and self._parts.queue and not self._closing:
            self._scope = anyio.CancelScope()
            self._idle = anyio.Event()
            group.start_soon(self._run, self._scope, group)

    async def _run(self, scope: anyio.CancelScope, group: TaskGroup) -> None:
        prompt = await self._parts.queue.take()
        try:
            with scope:
                await self._guarded(prompt)
        finally:
            self._scope = None
            self._idle.set()
            self._parts.status.idle()
        self._start_next(group)
        self._move()

    def _move(self) -> None:
        """Wake those who wait for the session to be at rest."""
        moved, self._moved = self._moved, anyio.Event()
        moved.set()

    async def _guarded(self, prompt: Prompt) -> None:
        self._parts.status.begin()
        try:
            await self._parts.run(prompt)
        except AgentTuiError as error:
            await self._parts.fail(error, prompt)
        except (
            Exception
        ) as error:  # boundary: a fault of ours ends the run with a result, not the session
            _log.exception("a run failed")
            await self._parts.fail(error, prompt)

    async def _end_run(self) -> None:
        self._closing = True
        if self._scope is not None:
            self._scope.cancel()
            with anyio.move_on_after(INTERRUPT_SECONDS, shield=True):
                await self._idle.wait()
