"""How a model is asked to think: the fields of the request that follow from the model and what the person chose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agent_tui.model.prices import ModelFacts
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.paths import Environment

EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""Every level there is, lowest first."""

UNSET = ("", "auto", "default", "unset")
"""Words that leave the level to the model."""

OLD_MODEL_OUTPUT = 32_000
"""Default ``max_tokens`` on models with a small window, where a larger reserve would cost room for the prompt."""

SMALL_WINDOW = 200_000
LEAST_BUDGET = 1024


@dataclass(frozen=True, slots=True)
class Generation:
    """How one model is to generate.

    Attributes:
        max_tokens: the request's.
        extra: body fields: ``thinking``, ``output_config``.
        effort: the level that is sent, None if none is.
        notes: a sentence for each wish that can't be met as it is.
    """

    max_tokens: int
    extra: JsonObject = field(default_factory=dict[str, Any])
    effort: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for. ``budget`` in tokens, for models that think by budget; None leaves it to the model."""

    effort: str | None = None
    max_tokens: int | None = None
    budget: int | None = None
    no_thinking: bool = False

    @classmethod
    def of(
        cls, env: Environment, effort: str | None = None, max_tokens: int | None = None
    ) -> Wishes:
        """Add what the environment says to what options and settings say.

        ``CLAUDE_CODE_EFFORT_LEVEL`` and ``CLAUDE_CODE_MAX_OUTPUT_TOKENS`` count where the argument is None;
        ``MAX_THINKING_TOKENS`` 0 and ``CLAUDE_CODE_DISABLE_THINKING`` turn thinking off.

        Raises:
            UsageError: the effort is no level.
        """
        budget = _count(env, "MAX_THINKING_TOKENS")
        off = env.get("CLAUDE_CODE_DISABLE_THINKING").lower() in ("1", "true", "yes", "on")
        return cls(
            effort=read_effort(effort or env.get("CLAUDE_CODE_EFFORT_LEVEL")),
            max_tokens=max_tokens or _count(env, "CLAUDE_CODE_MAX_OUTPUT_TOKENS"),
            budget=budget or None,
            no_thinking=off or budget == 0,
        )


def read_effort(word: str | None) -> str | None:
    """Give the level a word names, None for the words that leave it to the model.

    Raises:
        UsageError: it is no level.
    """
    level = (word or "").strip().lower()
    if level in UNSET:
        return None
    if level not in EFFORTS:
        raise UsageError(f"{word!r} is no effort level; there are {', '.join(EFFORTS)} and auto")
    return level


def generation(facts: ModelFacts, wishes: Wishes) -> Generation:
    """Give the request's fields for a model."""
    effort, notes = _effort(facts, wishes.effort)
    max_tokens = _max_tokens(facts, wishes.max_tokens)
    thinking, more = _thinking(facts, wishes, effort, max_tokens)
    extra: JsonObject = {}
    if thinking is not None:
        extra["thinking"] = thinking
    if effort is not None:
        extra["output_config"] = {"effort": effort}
    return Generation(max_tokens, extra, effort, (*notes, *more))


def _effort(facts: ModelFacts, asked: str | None) -> tuple[str | None, tuple[str, ...]]:
    if asked is None or asked in facts.efforts:
        return asked, ()
    lower = [level for level in facts.efforts if EFFORTS.index(level) < EFFORTS.index(asked)]
    if not lower:
        return None, (f"{facts.id} is not known to take an effort level; {asked} is not sent.",)
    return lower[-1], (f"{facts.id} has no effort {asked}; {lower[-1]} is used.",)


def _max_tokens(facts: ModelFacts, asked: int | None) -> int:
    usual = OLD_MODEL_OUTPUT if facts.window <= SMALL_WINDOW else facts.max_output
    return max(1, min(asked or usual, facts.max_output))


def _thinking(
    facts: ModelFacts, wishes: Wishes, effort: str | None, max_tokens: int
) -> tuple[JsonObject | None, tuple[str, ...]]:
    if facts.thinking == "none":
        return None, ()
    if facts.thinking == "manual":
        if wishes.no_thinking or not wishes.budget or max_tokens <= LEAST_BUDGET:
            return None, ()
        budget = max(LEAST_BUDGET, min(wishes.budget, max_tokens - 1))
        return {"type": "enabled", "budget_tokens": budget}, ()
    if wishes.no_thinking:
        if (effort or facts.default_effort) in facts.can_stop_thinking:
            return {"type": "disabled"}, ()
        return _adaptive(facts), (f"{facts.id} can't be told not to think here.",)
    return _adaptive(facts), ()


def _adaptive(facts: ModelFacts) -> JsonObject:
    # newer models hide their thinking unless asked, and with it what they say between tool calls
    shown = facts.thinking == "adaptive_shown"
    return {"type": "adaptive"} if shown else {"type": "adaptive", "display": "summarized"}


def _count(env: Environment, name: str) -> int | None:
    text = env.get(name)
    return int(text) if text.isascii() and text.isdigit() else None
