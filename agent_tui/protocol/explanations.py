"""What would be decided over a call, and why: plain data for every front end. ``permissions.explain`` makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.protocol.requests import Destination, RuleBehavior

Outcome: TypeAlias = Literal["allow", "ask", "deny"]


@dataclass(frozen=True, slots=True)
class ExplainedRule:
    """A rule and where it stands.

    Attributes:
        behavior: what it does.
        text: as it is written.
        source: ``file:line``, or words (``the command line``).
        origin: ``managed``, ``flag``, ``session``, ``local``, ``project`` or ``user``.
        left: what is left of it where it holds for a while only (``2 calls``), empty for no limit.
        removable: the destination it can be removed from by the person, None where it can't.
    """

    behavior: RuleBehavior
    text: str
    source: str
    origin: str
    left: str = ""
    removable: Destination | None = None


@dataclass(frozen=True, slots=True)
class ExplainedPart:
    """One simple command of a shell line.

    Attributes:
        text: as written.
        outcome: what it alone would come to.
        decided_by: what decided, in words; a rule as ``allow Bash(ls *)``, two blanks, where it is from.
        effect: what it does to files, as far as that is sure.
        runs: what it runs as a wrapper, layer by layer.
        inside: it is part of a text that another part hands to a shell.
    """

    text: str
    outcome: Outcome
    decided_by: str
    effect: str = ""
    runs: tuple[str, ...] = ()
    inside: bool = False


@dataclass(frozen=True, slots=True)
class ExplainedStep:
    """A step of the order in which a call is judged: what was found there. The last one decided."""

    name: str
    found: str
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """The decision over one call.

    Attributes:
        call: as a rule would name it: ``Bash(git push -f)``.
        outcome: what would happen.
        by: who decides, as in ``decisions.DecisionNote``.
        reason: why, in a sentence.
        mode: the permission mode it was judged in.
        rule: the rule that decided, None for none.
        parts: a shell line's simple commands, one at least.
        problem: why the line is not fully understood, empty when it is.
        paths: what is known of the path: where it leads, whether it is inside.
        steps: what was looked at, in order, up to what decided.
        changes: what would make it another outcome, a sentence each; tried, not guessed.
    """

    call: str
    outcome: Outcome
    by: str
    reason: str
    mode: str
    rule: ExplainedRule | None = None
    parts: tuple[ExplainedPart, ...] = ()
    problem: str = ""
    paths: tuple[str, ...] = ()
    steps: tuple[ExplainedStep, ...] = ()
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PermissionsInForce:
    """Everything calls are judged by.

    Attributes:
        mode: the permission mode.
        rules: those that forbid, then those that ask, then those that allow, each in the order they are looked at.
        folders: the working folders, the session's first.
        problems: rules that were left out, a sentence each.
        trusted: what the folder brings counts; None: it brings nothing that would need that.
        sandbox: how shell commands are fenced in, in words.
    """

    mode: str
    rules: tuple[ExplainedRule, ...] = ()
    folders: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    trusted: bool | None = None
    sandbox: str = ""
