"""Questions of a front end about what was said in the open session, beyond the page it holds, and their replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Find:
    """How often does ``text`` stand in what was said before the message with uuid ``before`` (None: in all of it)?"""

    text: str
    before: str | None = None
    kind: Literal["find"] = "find"


@dataclass(frozen=True, slots=True)
class Found:
    """Reply to ``Find``: how many places there are."""

    places: int = 0


@dataclass(frozen=True, slots=True)
class Raw:
    """What stands in the journal of a call, a message or a response (by its id)? The reply is ``RawLines``."""

    id: str
    kind: Literal["raw"] = "raw"


@dataclass(frozen=True, slots=True)
class RawLines:
    """Reply to ``Raw``: the lines as JSON objects, oldest first, secrets hidden; ``more`` were left out."""

    lines: tuple[dict[str, object], ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Inside:
    """What did the sub-agent do that a call (by its id) began? The reply is ``queries.MessagePage``, without ``more``."""

    call_id: str
    kind: Literal["inside"] = "inside"


@dataclass(frozen=True, slots=True)
class ModelSpent:
    """What one model used and cost. Tokens are counts; cost in US dollars, None when unknown."""

    model: str
    input: int
    cache_read: int
    cache_write: int
    output: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class PromptSpent:
    """One prompt until its result. ``time`` is ISO 8601; cost None when unknown."""

    time: str
    text: str
    turns: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Spending:
    """What has the open session used and cost? The reply is ``Spent``."""

    kind: Literal["spending"] = "spending"


@dataclass(frozen=True, slots=True)
class Spent:
    """Reply to ``Spending``.

    Attributes:
        models: per model, the one that cost most first.
        prompts: per prompt, oldest first.
        total_usd: of the session, None when unknown.
        cache_share: the part of all input that was read from the cache, 0..1; None without input.
        warm_for: seconds the cache still holds by the clock, 0 when it is cold; None when nothing was cached.
        cold_usd: what sending the window anew would cost without the cache; None when unknown.
        window_tokens: tokens that would be sent.
    """

    models: tuple[ModelSpent, ...] = ()
    prompts: tuple[PromptSpent, ...] = ()
    total_usd: float | None = None
    cache_share: float | None = None
    warm_for: float | None = None
    cold_usd: float | None = None
    window_tokens: int = 0
