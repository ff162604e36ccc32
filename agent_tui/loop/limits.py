"""When a run must end although the model would go on. One small class per limit.

A limit that is reached may ask the person whether to go on all the same; without a person the run ends.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import anyio

from agent_tui.journal.fold import Conversation
from agent_tui.loop.asking import Asker
from agent_tui.protocol.display import AskedQuestion, Choice
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import ResultSubtype


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit and what the result says of it."""

    subtype: ResultSubtype
    terminal_reason: str
    text: str


class Limit(Protocol):
    """Asked before a request and when its response has arrived, and when the response's tools have run."""

    def before_going_on(self) -> LimitReached | None:
        """Before a request, and before the tools of a response run."""
        ...

    def after_tools(self, tool_turns: int) -> LimitReached | None:
        """After a response's tools ran; ``tool_turns`` counts this prompt's, this one included."""
        ...

    async def extended(self, asker: Asker) -> bool:
        """Ask the person, if the limit is one that can be moved, and tell whether the run goes on."""
        ...

    def holds(self) -> None:
        """The limit ends a run: nobody moved it."""
        ...


@dataclass(frozen=True, slots=True)
class TurnLimit:
    """At most ``turns`` tool-use turns for each prompt (mission.md, decisions on ``max_turns``)."""

    turns: int

    def before_going_on(self) -> LimitReached | None:
        """Never stops here: the tools of the last permitted turn still run."""
        return None

    def after_tools(self, tool_turns: int) -> LimitReached | None:
        """Stop when the permitted turns are used up."""
        if tool_turns < self.turns:
            return None
        return LimitReached(
            "error_max_turns", "max_turns", f"Reached maximum number of turns ({self.turns})"
        )

    async def extended(self, asker: Asker) -> bool:
        """Never: the next prompt has turns of its own."""
        return False

    def holds(self) -> None:
        """Nothing else is bound by it."""


class Budget:
    """What a session, its sub-agents included, may cost from when it was opened or cleared.

    A response is paid for once it is here, so the cap may be passed by one response; its tools don't run then.

    Args:
        usd: the cap in US dollars; None is no cap.
        cost: gives what the whole session has cost by now, resumed parts included.
        changed: called when the person moved the cap.
        used_up: called when it ends a run; what else would spend is ended then.

    Raises:
        UsageError: the cap is not above 0.
    """

    def __init__(
        self,
        usd: float | None,
        cost: Callable[[], float],
        changed: Callable[[], None] = lambda: None,
        used_up: Callable[[], None] = lambda: None,
    ) -> None:
        if usd is not None and not usd > 0:
            raise UsageError("The budget must be more than $0.")
        self.usd = usd
        self._step = usd or 0.0
        self._cost = cost
        self._before = cost()
        self._changed = changed
        self._used_up = used_up
        self._asking: anyio.Event | None = None

    @property
    def spent(self) -> float:
        """Dollars spent since the session was opened or cleared."""
        return self._cost() - self._before

    @property
    def reached(self) -> bool:
        """Whether nothing more may be spent: no request, no new sub-agent."""
        return self.usd is not None and self.spent >= self.usd

    def restart(self) -> None:
        """Count from now on."""
        self._before = self._cost()

    def before_going_on(self) -> LimitReached | None:
        """Stop as soon as a response has made the cost reach the cap."""
        if self.usd is None or not self.reached:
            return None
        return LimitReached(
            "error_max_budget_usd", "budget_exhausted", f"Reached maximum budget (${self.usd:g})"
        )

    def after_tools(self, tool_turns: int) -> LimitReached | None:
        """Tools cost nothing by themselves."""
        return None

    async def extended(self, asker: Asker) -> bool:
        """Ask the person to raise the cap; what they say holds for the rest of the session.

        Several loops (sub-agents) may come here at the same time: one asks, the others wait for its answer.
        """
        if self._asking is not None:
            await self._asking.wait()
            return not self.reached
        self._asking = anyio.Event()
        try:
            return await self._ask(asker)
        finally:
            self._asking.set()
            self._asking = None

    def holds(self) -> None:
        """End what else would spend."""
        self._used_up()

    async def _ask(self, asker: Asker) -> bool:
        cap = self.usd or 0.0
        more = _raised(cap, self._step, self.spent)
        raised = Choice(f"Raise to {dollars(more)}", "Go on, and ask again when that is used up.")
        unlimited = Choice("No limit", "Go on without a budget for the rest of this session.")
        stop = Choice("Stop here", "End this run. Later prompts ask again.")
        answer = await asker.ask(
            AskedQuestion(
                f"The budget of {dollars(cap)} is used up: {dollars(self.spent)} spent. Raise it?",
                "Budget",
                (raised, unlimited, stop),
            )
        )
        if answer == unlimited.label:
            self.usd = None
        elif answer == raised.label:
            self.usd = more
        elif (typed := _amount(answer or "")) is not None and typed > self.spent:
            self.usd = typed
        else:
            return False
        self._changed()
        return True


def _raised(cap: float, step: float, spent: float) -> float:
    """Give the cap to offer: some steps up, above what is spent; twice that where a step is nothing beside it."""
    steps = (spent - cap) / step
    more = cap + step * (math.floor(steps) + 1) if 0 <= steps < 1e9 else cap + step
    return more if more > spent else 2 * spent


def spent_usd(conversation: Conversation) -> float:
    """Add up what is known to have been spent; responses of unknown price count as nothing."""
    return sum(used.cost_usd or 0.0 for used in conversation.model_usage.values())


def dollars(usd: float) -> str:
    """Write an amount for a person: cents, or as many digits as a smaller amount needs."""
    return f"${usd:.2f}" if usd >= 0.01 else f"${usd:.4f}"


def _amount(text: str) -> float | None:
    """Read a typed amount: ``5``, ``$2.50``."""
    found = re.fullmatch(r"\$?\s*(\d+(?:\.\d+)?)\s*\$?", text)
    return float(found[1]) if found else None
