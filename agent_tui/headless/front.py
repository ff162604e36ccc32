"""One session without a screen: what is said is heard, signals end it, and what goes on in the background is awaited."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

import anyio

from agent_tui.engine.opening import OpenSession
from agent_tui.headless.ending import Outcome, Work
from agent_tui.headless.output import Output
from agent_tui.headless.signals import Signals
from agent_tui.loop.hub import Subscription
from agent_tui.protocol.messages import Message, ResultMessage
from agent_tui.protocol.ops import Interrupt

READER_S = 1.0
"""Seconds after which it is noticed at the latest that nobody reads any more; no event tells of it."""


@dataclass(slots=True)
class Front:
    """Talks to one session.

    Attributes:
        output: where it is printed.
        hear: takes every message and what still goes on.
        signals: what is heard around the whole session.
        outcome: what came of it.
        answers_to_reader: who reads gave the task and alone wants it done: it ends when they leave, not when that is
            noticed by writing.
    """

    output: Output
    hear: Callable[[Message, Work], None]
    signals: Signals
    outcome: Outcome = field(default_factory=Outcome)
    answers_to_reader: bool = False
    _over: anyio.Event = field(default_factory=anyio.Event)

    async def talk(self, opened: OpenSession, ask: Callable[[], Awaitable[None]]) -> None:
        """Listen until ``ask`` has sent its prompts and has its answers, and nothing goes on any more.

        A signal interrupts the run and ends it with the run's result; a reader that has left ends it at once.
        """
        work = Work(lambda: opened.running)
        with opened.session.subscribe() as messages:
            async with anyio.create_task_group() as group:
                group.start_soon(self._listen, messages, work)
                group.start_soon(self._converse, ask, opened)
                if self.answers_to_reader:
                    group.start_soon(self._watch_reader)
                opened.session.announce()
                with self.signals.attended(partial(self._signalled, opened)):
                    await self._over.wait()
                group.cancel_scope.cancel()
            while (message := messages.waiting()) is not None:
                self._take(message, work)

    async def _listen(self, messages: Subscription, work: Work) -> None:
        async for message in messages:
            self._take(message, work)
            if self.output.broken:
                self._over.set()
            if self.outcome.signal is not None and isinstance(message, ResultMessage):
                self._over.set()
        self._over.set()

    def _take(self, message: Message, work: Work) -> None:
        work.see(message)
        self.hear(message, work)
        if isinstance(message, ResultMessage):
            self.outcome.result = message

    async def _converse(self, ask: Callable[[], Awaitable[None]], opened: OpenSession) -> None:
        await ask()
        await opened.settled()
        self._over.set()

    async def _watch_reader(self) -> None:
        while not self.output.left():  # noqa: ASYNC110 - of a reader's leaving no event tells
            await anyio.sleep(READER_S)
        self._over.set()

    def _signalled(self, opened: OpenSession, again: bool) -> None:
        self.outcome.signal = self.signals.number
        if again or not opened.running:
            self._over.set()
        opened.session.send(Interrupt())
