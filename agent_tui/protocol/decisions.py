"""What became of one call: who let it run or kept it from running, and why. Journaled, and told with its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

MAX_REASON: Final = 300
"""Characters of a reason or a comment that are kept."""


@dataclass(frozen=True, slots=True)
class DecisionNote:
    """One decision. Fields that hold their default are left out where it is written, so a plain one is short.

    Attributes:
        tool_use_id: the call.
        behavior: whether it was allowed to run.
        by: who decided: ``rule``, ``mode``, ``path``, ``hook``, ``read_only`` (it only looks), ``sandbox``,
            ``classifier``, ``person``, ``program``, ``nobody`` (it was to be asked and there was nobody), or another
            word of ``permissions.policy.By``.
        rule: the rule that decided, or that wanted it asked, as it is written; empty for none.
        source: where that rule stands: ``file:line``, or words (``the command line``).
        mode: the permission mode it was judged in.
        reason: why it was asked, or denied; of a hook what it said. At most ``MAX_REASON`` characters.
        agent_id: the sub-agent that called, empty for the main loop.
        asked_by: what made it a question (a word as of ``by``), empty when nobody was asked.
        hook: which hook decided or wanted it asked, e.g. ``User``; empty for none.
        edited: it ran with another input than the model gave.
        comment: what was said with a no.
        granted: the rules, mode or folders that the answer gave besides.
    """

    tool_use_id: str
    behavior: Literal["allow", "deny"] = "allow"
    by: str = "other"
    rule: str = ""
    source: str = ""
    mode: str = "default"
    reason: str = ""
    agent_id: str = ""
    asked_by: str = ""
    hook: str = ""
    edited: bool = False
    comment: str = ""
    granted: tuple[str, ...] = ()

    @property
    def asked(self) -> bool:
        """Whether somebody was to be asked."""
        return bool(self.asked_by)

    @property
    def plain(self) -> bool:
        """It only looked where it may: the commonest decision, and no news."""
        return self.behavior == "allow" and self.by == "read_only" and not self.asked


def short(text: str) -> str:
    """Cut a reason or a comment to what is kept of it."""
    return text if len(text) <= MAX_REASON else f"{text[: MAX_REASON - 1]}…"
