"""What judging one call found, before the mode has its say. ``policy.decide`` turns it into a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agent_tui.permissions.rule import Rule
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.requests import CommandPart, PermissionUpdate, Span


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that matched, and what it matched (a path, a command)."""

    rule: Rule
    what: str


def weightier(*hits: Hit | None) -> Hit | None:
    """Give the hit of the highest source, the first of several: what is told as the reason."""
    found = [hit for hit in hits if hit is not None]
    return min(found, key=lambda hit: hit.rule.rank[0], default=None)


@dataclass(frozen=True, slots=True)
class Mode:
    """A permission mode, as a row of the table.

    Attributes:
        approves_all: what no rule forbids or asks runs (but for removals of critical paths).
        approves_edits: file edits inside the working folders run.
        rules_allow: allow rules let changes through.
        reads_widely: tools that only read do so outside the working folders too, but for private places.
        asks: what isn't approved is asked; else it is denied.
    """

    approves_all: bool = False
    approves_edits: bool = False
    rules_allow: bool = True
    asks: bool = True
    reads_widely: bool = False


MODES: Final[dict[PermissionMode, Mode]] = {
    "default": Mode(),
    "acceptEdits": Mode(approves_edits=True),
    "plan": Mode(rules_allow=False, reads_widely=True),
    "dontAsk": Mode(asks=False),
    "bypassPermissions": Mode(approves_all=True),
    "auto": Mode(approves_edits=True, reads_widely=True),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about a call.

    Attributes:
        denied, asked: the rule that forbids, or wants it asked.
        doubt: a rule that forbids may apply, but that can't be told; a sentence.
        unclear: the shell line isn't understood; a sentence.
        critical: it removes something critical; a sentence.
        protected: the protected path it would write, "" for none.
        secret: the place with secrets it would show or change, which no rule opens, "" for none.
        free: it only looks, where it may.
        allowed: every part is free, or an allow rule or the mode approves it.
        rule: the allow rule (the first of several) that was needed.
        by_edits: the mode's approval of edits was needed.
        why: a sentence: why it isn't allowed as it stands.
        blocked_path: the path that keeps it from being allowed.
        leads_to: the file that is really written when the path names a link, "" for none.
        parts, danger, suggestions: see ``protocol.requests.PermissionRequest``.
        default_to_no: it is dangerous.
    """

    denied: Hit | None = None
    asked: Hit | None = None
    doubt: str = ""
    unclear: str = ""
    critical: str = ""
    protected: str = ""
    secret: str = ""
    free: bool = False
    allowed: bool = False
    rule: Rule | None = None
    by_edits: bool = False
    why: str = ""
    blocked_path: str | None = None
    leads_to: str = ""
    parts: tuple[CommandPart, ...] = ()
    danger: tuple[Span, ...] = ()
    suggestions: tuple[PermissionUpdate, ...] = ()
    default_to_no: bool = False
