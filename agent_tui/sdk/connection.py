"""A session as a program holds it: opened and ended by the detached task, reached from anywhere in the program.

The task owns the session and all its scopes. Messages come out of it through a stream, ops go in by ``send``, and
what broke is kept and raised to whoever reads next.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any, cast

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.engine.replies import Answerer
from agent_tui.loop.hub import Subscription
from agent_tui.protocol import messages as said
from agent_tui.protocol.errors import AgentTuiError, SessionError
from agent_tui.protocol.ops import Op, Prompt
from agent_tui.protocol.queries import Data, Failed, Query
from agent_tui.protocol.records import to_record
from agent_tui.sdk.checks import REPLAY, check, check_values, warn
from agent_tui.sdk.convert import convert
from agent_tui.sdk.detached import spawn
from agent_tui.sdk.errors import ClaudeSDKError, CLIConnectionError, ProcessError, ResultError
from agent_tui.sdk.messages import Message
from agent_tui.sdk.option_types import check_types
from agent_tui.sdk.options import ClaudeAgentOptions
from agent_tui.sdk.prompts import Input, prompts
from agent_tui.sdk.storing import with_store
from agent_tui.sdk.translate import Opening, environment, translate

ENDED_WITH_LOOP = "The session was ended with the program's event loop."


class Connection:
    """One session. ``given`` is what it is asked at once; with ``stays`` it is open until it is closed.

    Without ``stays`` it ends by itself when all that was given has its results.
    """

    def __init__(
        self, options: ClaudeAgentOptions, given: Input | None = None, *, stays: bool
    ) -> None:
        self._options = options
        self._given = given
        self._stays = stays
        self._sent: set[str] = set()
        self._last: said.ResultMessage | None = None
        self._modes: tuple[str, ...] = ()
        self._opened: OpenSession | None = None
        self._answerer: Answerer | None = None
        self._failure: BaseException | None = None
        self._ready = anyio.Event()
        self._closing = anyio.Event()
        self._over = anyio.Event()
        self._send: MemoryObjectSendStream[Message]
        self._receive: MemoryObjectReceiveStream[Message]

    # From the program's side ------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open the session; returns when it takes prompts.

        Raises:
            TypeError: an option is of a wrong type.
            ValueError: options exclude each other.
            ProcessError: it can't be opened; the text says why and what to do.
        """
        check_types(self._options)
        check(self._options)
        warn(self._options)
        self._send, self._receive = anyio.create_memory_object_stream[Message](math.inf)
        spawn(self._serve, "agent-tui session")
        try:
            await self._ready.wait()
        except BaseException:
            self.abandon()
            raise
        if self._opened is None:
            self._receive.close()
            raise self._broken()

    async def next(self) -> Message | None:
        """Give the next message, None when the session is over and nothing more will come.

        Raises:
            ClaudeSDKError: it broke.
        """
        try:
            return await self._receive.receive()
        except anyio.ClosedResourceError:
            return None
        except anyio.EndOfStream:
            self._receive.close()
            if self._failure is not None:
                raise self._broken() from self._failure
            return None

    @property
    def last_result(self) -> said.ResultMessage | None:
        """The newest result of the session."""
        return self._last

    @property
    def modes(self) -> tuple[str, ...]:
        """The permission modes that can be set."""
        return self._modes

    def send(self, op: Op) -> None:
        """Send an op.

        Raises:
            CLIConnectionError: the session is over.
        """
        if self._opened is None or self._over.is_set():
            raise CLIConnectionError("The session is over; connect again.")
        if isinstance(op, Prompt):
            self._sent.add(op.uuid)
        self._opened.session.send(op)

    async def ask(self, query: Query) -> dict[str, Any]:
        """Have a question answered.

        Raises:
            CLIConnectionError: the session is over.
            ClaudeSDKError: it can't be answered; the text says why.
        """
        if self._answerer is None or self._over.is_set():
            raise CLIConnectionError("The session is over; connect again.")
        try:
            reply = await self._answerer.answer(query)
        except AgentTuiError as error:
            raise ClaudeSDKError(str(error)) from error
        if isinstance(reply, Data):
            return reply.data
        text = reply.error if isinstance(reply, Failed) else f"no data: {type(reply).__name__}"
        raise ClaudeSDKError(text)

    def abandon(self) -> None:
        """Have the session end, without waiting for it; nobody reads any more."""
        self._receive.close()
        with contextlib.suppress(RuntimeError):  # the event loop is gone, and the session with it
            self._closing.set()

    async def close(self) -> None:
        """End the session: its run is interrupted, its children are gone when this returns."""
        self._closing.set()
        try:
            await self._over.wait()
        finally:
            self._receive.close()

    # In the detached task ---------------------------------------------------------------------------------------

    async def _serve(self) -> None:
        try:
            opening = await anyio.to_thread.run_sync(self._prepare)
            opening = await with_store(opening, self._options)
            await with_session(opening.options, opening.env, self._body, extras=opening.extras)
        except Exception as error:  # boundary: what breaks a session is raised to whoever reads
            self._failure = _alone(error)
        except anyio.get_cancelled_exc_class() as error:
            self._failure = error
            raise
        except BaseException as error:  # a callback's SystemExit: raised to the reader, too
            self._failure = _alone(error)
            if _holds_cancellation(error):
                raise
        finally:
            self._over.set()
            self._ready.set()
            self._send.close()

    def _prepare(self) -> Opening:
        env = environment(self._options)
        check_values(self._options, env)
        return translate(self._options, env)

    async def _body(self, opened: OpenSession) -> None:
        self._opened = opened
        self._answerer = Answerer(opened.base.env)
        self._answerer.attach(opened)
        deltas = self._options.include_partial_messages
        feeding = anyio.CancelScope()
        with opened.session.subscribe(deltas=deltas) as messages:
            async with anyio.create_task_group() as group:
                group.start_soon(self._listen, messages)
                group.start_soon(self._feed, opened, feeding)
                opened.session.announce()
                await self._closing.wait()
                feeding.cancel()
                await opened.session.end()  # what is said until then is heard

    async def _listen(self, messages: Subscription) -> None:
        async for message in messages:
            if isinstance(message, said.StatusChanged):
                self._modes = message.modes
                self._ready.set()
            elif isinstance(message, said.ResultMessage):
                self._last = message
            told = None if self._is_echo(message) else convert(message)
            if told is not None:
                with contextlib.suppress(anyio.BrokenResourceError):  # nobody reads any more
                    self._send.send_nowait(told)

    async def _feed(self, opened: OpenSession, scope: anyio.CancelScope) -> None:
        with scope:
            if self._given is not None:
                verbatim = self._options.verbatim_prompts
                async with contextlib.aclosing(prompts(self._given, verbatim=verbatim)) as given:
                    async for prompt in given:
                        self.send(prompt)
            if not self._stays:
                await opened.settled()
                self._closing.set()

    def _is_echo(self, message: said.Message) -> bool:
        """Whether a message is a prompt: the program's own, or one that tells the model of background work.

        Prompts are told only to a program that asked for that; it knows its own, and the task's messages tell the rest.
        """
        if not isinstance(message, said.UserMessage) or REPLAY in self._options.extra_args:
            return False
        kind = None if message.origin is None else message.origin.get("kind")
        return message.uuid in self._sent or kind == "task-notification"

    def _broken(self) -> BaseException:
        """Give what broke the session as the program's error; its own faults (a prompt stream's) as they are."""
        failure = self._failure
        match failure:
            case SessionError():
                data = {"subtype": "error_during_execution", "is_error": True}
                return ResultError(str(failure), {**data, "errors": [str(failure)]}, exit_code=1)
            case AgentTuiError():
                return ProcessError("The session can't be opened", 1, str(failure))
            case None | BaseExceptionGroup():
                return CLIConnectionError(ENDED_WITH_LOOP)
            case _ if isinstance(failure, anyio.get_cancelled_exc_class()):
                return CLIConnectionError(ENDED_WITH_LOOP)
            case _:
                return failure


def result_error(result: said.ResultMessage) -> ResultError:
    """Give the error that a single-shot run ends with."""
    why = "; ".join(result.errors or ()) or result.result or result.subtype
    return ResultError(f"The run ended with an error: {why}", to_record(result), exit_code=1)


def _alone(error: BaseException) -> BaseException:
    """Give the one error that a group of task groups wraps."""
    inside: list[Any] = list(cast("Any", error).exceptions) if _is_group(error) else []
    return _alone(inside[0]) if len(inside) == 1 else error


def _is_group(error: BaseException) -> bool:
    return isinstance(error, BaseExceptionGroup)


def _holds_cancellation(error: BaseException) -> bool:
    """Whether the event loop's end is part of it, which must get through."""
    inside: list[Any] = list(cast("Any", error).exceptions) if _is_group(error) else []
    return isinstance(error, anyio.get_cancelled_exc_class()) or any(
        map(_holds_cancellation, inside)
    )
