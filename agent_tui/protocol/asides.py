"""A question beside the conversation, and its answer; neither becomes part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Aside:
    """What would the model say to this, knowing the conversation? May be asked while a run goes."""

    question: str
    kind: Literal["aside"] = "aside"


@dataclass(frozen=True, slots=True)
class AsideAnswer:
    """Reply to ``Aside``. ``cost_usd`` is None where the price isn't known."""

    text: str = ""
    cost_usd: float | None = None
