"""One session without a screen: what is said is heard, signals end it, and what goes on in the background is awaited."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskStatus

from agent_tui.engine.opening import OpenSession
from agent_tui.headless.ending import Outcome, Work
from agent_tui.headless.output import Output
from agent_tui.loop.hub import Subscription
from agent_tui.protocol.messages import Message, ResultMessage
from agent_tui.protocol.ops import Interrupt

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(slots=True)
class Front:
    """Talks to one session.

    Attributes:
        output: where it is printed.
        hear: takes every message and what still goes on.
        outcome: what came of it.
    """

    output: Output
    hear: Callable[[Message, Work], None]
    outcome: Outcome = field(default_factory=Outcome)
    _over: anyio.Event = field(default_factory=anyio.Event)

    async def talk(self, opened: OpenSession, ask: Callable[[], Awaitable[None]]) -> None:
        """Listen until ``ask`` has sent its prompts and has its answers, and nothing goes on any more.

        A signal interrupts the run and ends it with the run's result; a reader that has left ends it at once.
        """
        work = Work(lambda: opened.running)
        with opened.session.subscribe() as messages:
            async with anyio.create_task_group() as group:
                await group.start(self._watch_signals, opened)  # from here on none is missed
                group.start_soon(self._listen, messages, work)
                group.start_soon(self._converse, ask, opened)
                opened.session.announce()
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

    async def _watch_signals(
        self, opened: OpenSession, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
    ) -> None:
        with anyio.open_signal_receiver(*SIGNALS) as signals:
            task_status.started()
            async for number in signals:
                again = self.outcome.signal is not None
                self.outcome.signal = int(number)
                if again or not opened.running:
                    self._over.set()
                opened.session.send(Interrupt())
