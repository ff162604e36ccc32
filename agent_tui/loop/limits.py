"""When a run must end although the model would go on. One small class per limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agent_tui.protocol.messages import ResultSubtype


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit and what the result says of it."""

    subtype: ResultSubtype
    terminal_reason: str
    text: str


class Limit(Protocol):
    """Asked at two moments: when a response has arrived, and when its tools have run."""

    def after_response(self, tool_turns: int, spent_usd: float) -> LimitReached | None:
        """Before the response's tools run: ``tool_turns`` completed so far, dollars spent by the session."""
        ...

    def after_tools(self, tool_turns: int) -> LimitReached | None:
        """After a response's tools ran; ``tool_turns`` includes this one."""
        ...


@dataclass(frozen=True, slots=True)
class TurnLimit:
    """At most ``turns`` tool-use turns for each prompt (mission.md, decisions on ``max_turns``)."""

    turns: int

    def after_response(self, tool_turns: int, spent_usd: float) -> LimitReached | None:
        """Never stops here: the tools of the last permitted turn still run."""
        return None

    def after_tools(self, tool_turns: int) -> LimitReached | None:
        """Stop when the permitted turns are used up."""
        if tool_turns < self.turns:
            return None
        return LimitReached(
            "error_max_turns", "max_turns", f"Reached maximum number of turns ({self.turns})"
        )


@dataclass(frozen=True, slots=True)
class BudgetLimit:
    """At most ``usd`` dollars, counted from ``already`` (what the session had cost when it was opened)."""

    usd: float
    already: float = 0.0

    def after_response(self, tool_turns: int, spent_usd: float) -> LimitReached | None:
        """Stop as soon as a response has made the cost reach the cap; its tools don't run."""
        if spent_usd - self.already < self.usd:
            return None
        return LimitReached(
            "error_max_budget_usd", "budget_exhausted", f"Reached maximum budget (${self.usd:g})"
        )

    def after_tools(self, tool_turns: int) -> LimitReached | None:
        """Tools cost nothing by themselves."""
        return None
