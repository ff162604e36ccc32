"""How a model is asked to think: the fields of the request that follow from the model and what the person chose."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from agent_tui.model.prices import ModelFacts
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.options import ModelOptions
from agent_tui.settings.paths import Environment

EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""Every level there is, lowest first."""

UNSET = ("", "auto", "default", "unset")
"""Words that leave the level to the model."""

OLD_MODEL_OUTPUT = 32_000
"""Default ``max_tokens`` on models with a small window, where a larger reserve would cost room for the prompt."""

SMALL_WINDOW = 200_000
LEAST_BUDGET = 1024
THINKS = ("adaptive", "enabled")
DISPLAYS = ("summarized", "omitted")
MAX_USER = 256
"""Characters the API takes as a user's name."""

TASK_BUDGETS = "task-budgets-2026-03-13"
"""The beta flag that a task budget needs."""


@dataclass(frozen=True, slots=True)
class Generation:
    """How one model is to generate.

    Attributes:
        max_tokens: the request's.
        extra: body fields: ``thinking``, ``output_config``, ``metadata``.
        effort: the level that is sent, None if none is.
        notes: a sentence for each wish that can't be met as it is.
    """

    max_tokens: int
    extra: JsonObject = field(default_factory=dict[str, Any])
    effort: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for.

    Attributes:
        effort: a level, None leaves it to the model.
        max_tokens: of an answer.
        budget: tokens to think with, for models that think by budget; None leaves it to the model.
        no_thinking: thinking is to be off.
        thinking: ``adaptive`` or ``enabled`` where one of them was named.
        display: how thinking is to come: ``summarized`` or ``omitted``.
        task_budget: tokens the model is told to get along with.
        user: identifies the user to the API.
    """

    effort: str | None = None
    max_tokens: int | None = None
    budget: int | None = None
    no_thinking: bool = False
    thinking: str | None = None
    display: str | None = None
    task_budget: int | None = None
    user: str | None = None

    @classmethod
    def of(
        cls, env: Environment, options: ModelOptions | None = None, effort: str | None = None
    ) -> Wishes:
        """Join what the options say, what the settings say (``effort``) and the environment.

        ``CLAUDE_CODE_EFFORT_LEVEL`` and ``CLAUDE_CODE_MAX_OUTPUT_TOKENS`` count where nothing else is said;
        ``MAX_THINKING_TOKENS`` 0 and ``CLAUDE_CODE_DISABLE_THINKING`` turn thinking off unless the options ask for it.

        Raises:
            UsageError: the effort is no level, ``thinking`` has no known form, or the user's name is too long.
        """
        options = options or ModelOptions()
        kind, budget, display = _asked(options)
        if kind is None:
            budget = _count(env, "MAX_THINKING_TOKENS")
            off = env.get("CLAUDE_CODE_DISABLE_THINKING").lower() in ("1", "true", "yes", "on")
            kind = "disabled" if off or budget == 0 else None
        if options.user is not None and len(options.user) > MAX_USER:
            raise UsageError(f"the user's name may have at most {MAX_USER} characters")
        return cls(
            effort=read_effort(options.effort or effort or env.get("CLAUDE_CODE_EFFORT_LEVEL")),
            max_tokens=options.max_output_tokens or _count(env, "CLAUDE_CODE_MAX_OUTPUT_TOKENS"),
            budget=budget or None,
            no_thinking=kind == "disabled",
            thinking=kind if kind in THINKS else None,
            display=display,
            task_budget=options.task_budget,
            user=options.user or None,
        )

    def with_budget(self, tokens: int) -> Wishes:
        """Give the same wishes with so many tokens to think with, whatever was said of thinking; 0 turns it off."""
        return replace(self, budget=tokens or None, no_thinking=not tokens, thinking=None)

    @property
    def betas(self) -> tuple[str, ...]:
        """The beta flags that requests with these wishes need."""
        return () if self.task_budget is None else (TASK_BUDGETS,)


def _asked(options: ModelOptions) -> tuple[str | None, int | None, str | None]:
    """Give kind, budget and display of what the options say of thinking; kind None where they say nothing.

    The older ``max_thinking_tokens`` says of models without budgets only whether they think at all: kind ``budget``.
    """
    given = options.thinking
    if given is None:
        tokens = options.max_thinking_tokens
        return (None if tokens is None else "budget" if tokens else "disabled"), tokens, None
    kind, budget, display = (given.get(key) for key in ("type", "budget_tokens", "display"))
    if kind not in (*THINKS, "disabled"):
        raise UsageError(f"thinking has no type {kind!r}; there are adaptive, enabled and disabled")
    if kind == "enabled" and (not isinstance(budget, int) or budget <= 0):
        raise UsageError("thinking of the type enabled needs budget_tokens, more than 0")
    if display not in (None, *DISPLAYS):
        raise UsageError(f"thinking has no display {display!r}; there are {', '.join(DISPLAYS)}")
    return str(kind), budget if kind == "enabled" else None, display


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
    config: JsonObject = {} if effort is None else {"effort": effort}
    if wishes.task_budget is not None:
        config["task_budget"] = {"type": "tokens", "total": wishes.task_budget}
    if config:
        extra["output_config"] = config
    if wishes.user is not None:
        extra["metadata"] = {"user_id": wishes.user}
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
        asked = wishes.thinking is not None
        return None, (f"{facts.id} is not known to think; it is not asked to.",) if asked else ()
    if facts.thinking == "manual":
        return _by_budget(facts, wishes, max_tokens)
    if wishes.no_thinking:
        if (effort or facts.default_effort) in facts.can_stop_thinking:
            return {"type": "disabled"}, ()
        return _adaptive(facts, wishes), (f"{facts.id} can't be told not to think here.",)
    if wishes.thinking == "enabled":
        note = f"{facts.id} decides itself how much it thinks; the budget of {wishes.budget:,} tokens is not sent."
        return _adaptive(facts, wishes), (note,)
    return _adaptive(facts, wishes), ()


def _by_budget(
    facts: ModelFacts, wishes: Wishes, max_tokens: int
) -> tuple[JsonObject | None, tuple[str, ...]]:
    asked = wishes.budget
    if wishes.no_thinking or (asked is None and wishes.thinking is None):
        return None, ()
    if max_tokens <= LEAST_BUDGET:
        return None, (f"{facts.id} can't think within {max_tokens:,} tokens; it is not asked to.",)
    wanted = asked or max_tokens // 2
    budget = max(LEAST_BUDGET, min(wanted, max_tokens - 1))
    thinking: JsonObject = {"type": "enabled", "budget_tokens": budget}
    if wishes.display is not None:
        thinking["display"] = wishes.display
    note = f"{facts.id} thinks by a budget only; it is {budget:,} tokens."
    return thinking, () if budget == asked else (note,)


def _adaptive(facts: ModelFacts, wishes: Wishes) -> JsonObject:
    # newer models hide their thinking unless asked, and with it what they say between tool calls
    usual = None if facts.thinking == "adaptive_shown" else "summarized"
    display = wishes.display or usual
    return {"type": "adaptive"} if display is None else {"type": "adaptive", "display": display}


def _count(env: Environment, name: str) -> int | None:
    text = env.get(name)
    return int(text) if text.isascii() and text.isdigit() else None
