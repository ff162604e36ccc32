"""Notes of who decided over a call: made for every one, written by ``permission.Permission``."""

from __future__ import annotations

from dataclasses import replace

from agent_tui.loop.approvals import Approver, DenyAll
from agent_tui.permissions.policy import Allowed, Denied, MustAsk
from agent_tui.protocol.decisions import DecisionNote, short
from agent_tui.protocol.hooks import HookOutcome
from agent_tui.protocol.requests import Allow, PermissionAnswer, PermissionUpdate


class ByProgram:
    """Marks an ``Approver`` behind which a program answers, not a person."""


def who(approver: Approver) -> str:
    """Name who answers: ``person``, ``program`` or ``nobody``."""
    if isinstance(approver, DenyAll):
        return "nobody"
    return "program" if isinstance(approver, ByProgram) else "person"


def settled_note(base: DecisionNote, verdict: Allowed | Denied, hook: HookOutcome) -> DecisionNote:
    """Tell that rules, mode or hooks decided by themselves."""
    denied = isinstance(verdict, Denied)
    note = replace(
        base,
        behavior="deny" if denied else "allow",
        by=verdict.by,
        hook=hook.source if verdict.by == "hook" else base.hook,
        reason=short(_reason(verdict, hook)),
    )
    if verdict.rule is None:
        return note
    return replace(note, rule=str(verdict.rule), source=str(verdict.rule.source))


def asked_note(base: DecisionNote, question: MustAsk, hook: HookOutcome) -> DecisionNote:
    """Tell why it is to be asked; who answers, and how, is still open."""
    return replace(
        base,
        asked_by=question.decided_by,
        rule=question.rule or "",
        source=question.rule_source or "",
        hook=hook.source if question.decided_by == "hook" else "",
        reason=short(question.reason),
    )


def answered_note(asked: DecisionNote, answer: PermissionAnswer, by: str) -> DecisionNote:
    """Tell how it was answered."""
    if isinstance(answer, Allow):
        given = answer.updated_permissions
        return replace(
            asked,
            by=by,
            edited=answer.updated_input is not None,
            granted=tuple(short(_granted(update)) for update in given),
        )
    comment = "" if by == "nobody" else answer.message
    return replace(asked, behavior="deny", by=by, comment=short(comment))


def _reason(verdict: Allowed | Denied, hook: HookOutcome) -> str:
    """Say why, where the rule's text doesn't say it already."""
    if verdict.by == "hook":
        return hook.reason
    return verdict.message if isinstance(verdict, Denied) and verdict.rule is None else ""


def _granted(update: PermissionUpdate) -> str:
    match update.type:
        case "setMode":
            return f"mode {update.mode}"
        case "addDirectories" | "removeDirectories":
            return " ".join(update.directories)
        case _:
            return " ".join(
                [*map(str, update.rules), *([str(update.limit)] if update.limit else [])]
            )
