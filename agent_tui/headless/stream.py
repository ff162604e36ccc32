"""``--input-format stream-json``: a program sends prompts and requests as lines, and answers ours.

The session is opened at the first line: ``initialize`` may still change its options. It ends when standard input is
closed and all that was sent is answered. A line that can't be used is told on standard error and left out; nothing
else is lost by it.
"""

from __future__ import annotations

import gc
import math
import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

import anyio
from anyio.abc import TaskGroup

from agent_tui.engine.extras import Extras
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.engine.replies import Answerer
from agent_tui.headless.beginning import begun, parts_of
from agent_tui.headless.calls import HostCalls
from agent_tui.headless.control import Control
from agent_tui.headless.ending import Work
from agent_tui.headless.front import Front
from agent_tui.headless.log import logged
from agent_tui.headless.output import Output, complain
from agent_tui.headless.pending import Pending
from agent_tui.headless.printers import for_programs
from agent_tui.headless.schema import check_schema
from agent_tui.headless.signals import Signals
from agent_tui.headless.states import States
from agent_tui.headless.stdin import InputLines
from agent_tui.headless.words import (
    Answered,
    Asked,
    Line,
    LineError,
    Turn,
    failure,
    read_line,
    success,
)
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import AgentTuiError
from agent_tui.protocol.messages import Message, ResultMessage
from agent_tui.protocol.ops import Op
from agent_tui.protocol.records import to_record
from agent_tui.protocol.usage import Usage
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment

Wanted: TypeAlias = Turn | Asked
INITIALIZE = "initialize"


class Stream:
    """One program at the other end of standard input and output.

    Args:
        options, env: as on the command line; ``initialize`` may add to the options.
        lines: what the program sends.
        output: where it is answered.
        replay: prompts are said back when they are taken.
    """

    def __init__(
        self, options: Options, env: Environment, lines: InputLines, output: Output, *, replay: bool
    ) -> None:
        self._options = options
        self._env = env
        self._lines = lines
        self._output = output
        self._calls = HostCalls(self._output.record, _new_id)
        self._wanted, self._inbox = anyio.create_memory_object_stream[Wanted](math.inf)
        self._pending = Pending(replay)
        self._answered = anyio.Event()
        self._signals = Signals()
        self._states = States.of(env)

    async def run(self) -> int:
        """Talk to the program to the end; give the exit code.

        Raises:
            AgentTuiError: the session could not be opened.
        """
        ends: list[int | AgentTuiError] = []
        with self._inbox:
            async with anyio.create_task_group() as group:
                group.start_soon(self._read)
                ends.append(await self._session())
                group.cancel_scope.cancel()
        if isinstance(ends[0], AgentTuiError):
            raise ends[0]
        return ends[0]

    # Reading --------------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        """Pass on what comes; answers go to those who wait for them, also while the session is being opened."""
        number = 0
        with self._wanted:
            async for raw in self._lines:
                number += 1
                line = _readable(raw, number)
                if isinstance(line, Answered):
                    self._calls.answered(line)
                elif line is not None:
                    self._wanted.send_nowait(line)
        self._calls.close()

    # The session ----------------------------------------------------------------------------------------------------

    async def _session(self) -> int | AgentTuiError:
        """Open it at the first line that can be used, and serve it.

        What ``initialize`` asked for may protect somebody: once one has failed, only another one opens the session.
        """
        failed: AgentTuiError | None = None
        async for first in self._inbox:
            initial = first if isinstance(first, Asked) and first.subtype == INITIALIZE else None
            if failed is not None and initial is None:
                self._turn_away(first, failed)
                continue
            try:
                options, extras = self._begin({} if initial is None else initial.fields)
            except AgentTuiError as error:
                assert initial is not None  # the options were checked before anything was read
                self._output.record(failure(initial.id, str(error)))
                failed = error
                continue
            try:
                body = partial(self._serve, first)
                session = partial(with_session, options, self._env, body, extras=extras)
                return self._signals.code(await self._signals.around(session))
            except AgentTuiError as error:
                self._output.record(to_record(_unopened(options, error)))
                return error
        return 0 if failed is None else failed

    def _turn_away(self, wanted: Wanted, failed: AgentTuiError) -> None:
        """Answer what can't be done because the session is not open."""
        if isinstance(wanted, Turn):
            self._output.record(to_record(_unopened(self._options, failed)))
        else:
            self._output.record(failure(wanted.id, f"the session is not open: {failed}"))

    def _begin(self, fields: JsonObject) -> tuple[Options, Extras]:
        options = begun(self._options, fields)
        check_schema(options.tools.schema)
        return options, parts_of(options, fields, self._calls)

    async def _serve(self, first: Wanted, opened: OpenSession) -> int:
        answerer, session = Answerer(self._env), opened.session
        answerer.attach(opened)
        control = Control(
            session.send, answerer.answer, lambda: session.record.conversation.total_cost_usd
        )
        hear = partial(self._hear, opened, control)
        front = Front(self._output, hear, self._signals, answers_to_reader=True)
        await front.talk(opened, partial(self._converse, first, session.send, control))
        return front.outcome.code(lost=self._output.lost, needed=False)

    async def _converse(self, first: Wanted, send: Callable[[Op], None], control: Control) -> None:
        """Take what the program wants until it says no more, then wait for the answers."""
        async with anyio.create_task_group() as group:
            if isinstance(first, Asked) and first.subtype == INITIALIZE:
                await self._answer(first, control.commands)
            else:
                self._take(first, send, control, group)
            async for wanted in self._inbox:
                self._take(wanted, send, control, group)
        while self._pending:
            await self._answered.wait()

    def _take(
        self, wanted: Wanted, send: Callable[[Op], None], control: Control, group: TaskGroup
    ) -> None:
        """Do it, in the order of the lines; what has to be looked up is answered when it is known."""
        if isinstance(wanted, Turn):
            if self._pending.add(wanted.prompt.uuid, wanted.record):
                send(wanted.prompt)
            else:
                complain(f"the prompt {wanted.prompt.uuid} was sent before; it is left out")
            return
        try:
            answer = control.at_once(wanted)
        except AgentTuiError as error:
            self._output.record(failure(wanted.id, str(error)))
            return
        if answer is None:
            group.start_soon(self._answer, wanted, partial(control.looked_up, wanted))
        else:
            self._output.record(success(wanted.id, answer))

    async def _answer(self, asked: Asked, answer: Callable[[], Awaitable[JsonObject]]) -> None:
        try:
            self._output.record(success(asked.id, await answer()))
        except AgentTuiError as error:
            self._output.record(failure(asked.id, str(error)))

    def _hear(self, opened: OpenSession, control: Control, message: Message, work: Work) -> None:
        control.see(message)
        for heard in self._pending.see(message):
            if for_programs(heard):
                self._output.record(to_record(heard))
        if isinstance(message, ResultMessage):
            answered, self._answered = self._answered, anyio.Event()
            answered.set()
        idle = work.quiet and not self._pending
        state = self._states.now(opened.session.record.session_id, work, idle=idle)
        if state is not None:
            self._output.record(state)


def main(options: Options, env: Environment, *, replay: bool) -> int:
    """Serve the program at standard input and output; give the exit code, that of the last result.

    Raises:
        AgentTuiError: the session could not be opened; a result that says why was written.
    """
    gc.enable()  # the command's entry has let it rest while all this was loaded
    check_schema(options.tools.schema)
    stream = Stream(options, env, InputLines(0), Output(), replay=replay)
    with logged(env, keep=options.session.persist):
        return anyio.run(stream.run)


def _readable(raw: bytes, number: int) -> Line | None:
    try:
        return read_line(raw, _new_id)
    except LineError as error:
        complain(f"standard input, line {number}: {error}; the line is left out")
        return None


def _unopened(options: Options, error: AgentTuiError) -> ResultMessage:
    """Make the result that a program gets in place of a session."""
    session = options.session
    return ResultMessage(
        subtype="error_during_execution",
        duration_ms=0,
        duration_api_ms=0,
        is_error=True,
        num_turns=0,
        session_id=session.session_id or session.resume or "",
        total_cost_usd=0.0,
        usage=Usage().to_api(),
        errors=(str(error),),
        uuid=_new_id(),
        terminal_reason="turn_setup_failed",
    )


def _new_id() -> str:
    return str(uuid.uuid4())
