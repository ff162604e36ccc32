"""Why would a call be decided as it would? ``decide`` and ``judge_line`` are asked; nothing is decided here.

What would change the outcome is found by trying: the same call in another mode, without the rule that decided, with a
rule that is proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from agent_tui.permissions import sandboxed
from agent_tui.permissions.inquiry import Inquiry
from agent_tui.permissions.lines import JudgedLine, judge_line
from agent_tui.permissions.part import PartVerdict
from agent_tui.permissions.person import needs_a_person
from agent_tui.permissions.places import Ground
from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk
from agent_tui.permissions.rule import Rule
from agent_tui.permissions.rules import RuleBook
from agent_tui.permissions.verdict import MODES
from agent_tui.protocol.access import ReadPath, RunCommand, WritePath
from agent_tui.protocol.explanations import (
    ExplainedPart,
    ExplainedRule,
    ExplainedStep,
    Explanation,
    Outcome,
)
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.requests import RuleBehavior

Judge: TypeAlias = Callable[[PermissionMode, RuleBook], Decision]
"""Decides the call in question in a mode, by rules: ``decide`` with all else as it is."""

TRIED: Final[tuple[PermissionMode, ...]] = (
    "default",
    "acceptEdits",
    "plan",
    "dontAsk",
    "bypassPermissions",
)
WOULD: Final[dict[Outcome, str]] = {
    "allow": "it would run",
    "ask": "it would be asked",
    "deny": "it would be denied",
}
MAX_RUNS: Final = 6
MAX_PARTS: Final = 100


def explain(
    inquiry: Inquiry, judge: Judge, *, mode: PermissionMode, rules: RuleBook, ground: Ground
) -> Explanation:
    """Explain the decision over one call. Looks at files, as deciding does.

    Args:
        inquiry: the call.
        judge: decides it.
        mode: the mode in force.
        rules: the rules in force.
        ground: the folders it is judged by.
    """
    decision = judge(mode, rules)
    asked = judge("default", rules) if mode == "dontAsk" and _is_mode(decision) else decision
    rule = _rule_of(asked, rules)
    line = _line(inquiry, mode, rules, ground)
    return Explanation(
        call=inquiry.name,
        outcome=outcome_of(decision),
        by=decision.decided_by if isinstance(decision, MustAsk) else decision.by,
        reason=_reason(decision, mode),
        mode=mode,
        rule=None if rule is None else told(rule),
        parts=_parts(line.parts) if line is not None else (),
        problem=line.analysis.problem if line is not None else "",
        paths=tuple(_paths(inquiry, ground)),
        steps=_steps(decision, asked, rule, mode, rules, ground),
        changes=(
            *_classified(inquiry, asked, mode, ground),
            *_changes(decision, asked, rule, judge, mode, rules),
        ),
    )


def outcome_of(decision: Decision) -> Outcome:
    """Say in a word what a decision comes to."""
    match decision:
        case Allowed():
            return "allow"
        case Denied():
            return "deny"
        case MustAsk():
            return "ask"


def told(rule: Rule) -> ExplainedRule:
    """Say what a rule is and where it stands."""
    return ExplainedRule(rule.behavior, str(rule), str(rule.source), rule.source.name)


# What decided -----------------------------------------------------------------------------------------------------------


def _is_mode(decision: Decision) -> bool:
    return isinstance(decision, Denied) and decision.by == "mode"


def _rule_of(decision: Decision, rules: RuleBook) -> Rule | None:
    """Find the rule that decided, or that wants it asked."""
    if not isinstance(decision, MustAsk):
        return decision.rule
    if decision.rule is None:
        return None
    wanted = (decision.rule, decision.rule_source)
    return next((r for r in rules.ask if (str(r), str(r.source)) == wanted), None)


def _reason(decision: Decision, mode: PermissionMode) -> str:
    match decision:
        case MustAsk(reason=reason):
            return reason
        case Denied(rule=Rule() as rule):
            return f"The rule {rule} in {rule.source} forbids it."
        case Denied(message=message):
            return message
        case Allowed(rule=Rule() as rule):
            return f"The rule {rule} in {rule.source} allows it."
        case Allowed(by="read_only"):
            return "It changes nothing, and it looks only where it may."
        case Allowed(by="mode"):
            return f"The mode {mode} lets it run."
        case Allowed(by="hook"):
            return "A hook allows it."
        case Allowed(by="sandbox"):
            return "It runs in the sandbox, where it needs no approval."
        case Allowed():
            return "It is allowed."


# Parts and paths --------------------------------------------------------------------------------------------------------


def _line(
    inquiry: Inquiry, mode: PermissionMode, rules: RuleBook, ground: Ground
) -> JudgedLine | None:
    access = inquiry.access
    if not isinstance(access, RunCommand):
        return None
    spared = sandboxed.spared(rules, access, mode)
    here = replace(ground, cwd=access.cwd)
    return judge_line(access.command, inquiry.tool, spared, here, MODES[mode])


def _parts(parts: Sequence[PartVerdict]) -> tuple[ExplainedPart, ...]:
    return tuple(_part(part) for part in parts[:MAX_PARTS])


def _part(verdict: PartVerdict) -> ExplainedPart:
    shown = verdict.shown(())
    outcome: Outcome = "allow" if shown.allowed else "ask"
    if verdict.denied is not None:
        outcome = "deny"
    stopped = verdict.doubt or verdict.critical or verdict.protected
    plain = verdict.denied is None and verdict.asked is None
    layers = (" ".join(word.raw for word in view.words) for view in verdict.part.runs.views[1:])
    return ExplainedPart(
        shown.text,
        outcome,
        _stopped(verdict) if stopped and plain else shown.decided_by,
        shown.effect,
        tuple(dict.fromkeys(layer for layer in layers if layer))[:MAX_RUNS],
        verdict.part.inside is not None,
    )


def _stopped(verdict: PartVerdict) -> str:
    """Say what keeps a part from running although no rule says so."""
    if verdict.doubt or verdict.critical:
        return verdict.doubt or verdict.critical
    return f"{verdict.protected} is a protected place."


def _paths(inquiry: Inquiry, ground: Ground) -> Iterator[str]:
    match inquiry.access:
        case ReadPath(path) | WritePath(path):
            pass
        case _:
            return
    real = ground.leads_to(path)
    yield f"{path} leads to {real}" if real else path
    yield "inside the working folders" if ground.is_inside(path) else "outside the working folders"
    if ground.protected(path):
        yield "a protected place: writing there is asked whatever is allowed"


# Steps ------------------------------------------------------------------------------------------------------------------

_HOOK, _DENY, _ASK, _YOU, _CRITICAL, _ALL = range(6)
_UNCLEAR, _PROTECTED, _HOOK_YES, _ALLOW, _SANDBOX, _QUESTION = range(6, 12)
_NAMES: Final = (
    "hooks that deny",
    "deny rules",
    "ask rules, hooks that ask",
    "questions to you",
    "critical removals",
    "a mode that approves all",
    "lines not understood",
    "protected places",
    "hooks that allow",
    "looking, the mode, allow rules",
    "the sandbox",
    "the question",
)
"""The order of ``policy.decide``, in words."""


def _steps(
    decision: Decision,
    asked: Decision,
    rule: Rule | None,
    mode: PermissionMode,
    rules: RuleBook,
    ground: Ground,
) -> tuple[ExplainedStep, ...]:
    last = _step_of(asked, mode, ground)
    steps = [ExplainedStep(name, _passed(at, mode, rules)) for at, name in enumerate(_NAMES[:last])]
    found = f"{rule}, in {rule.source}" if rule is not None else _reason(asked, mode)
    steps.append(ExplainedStep(_NAMES[last], found, decided=asked is decision))
    if asked is not decision:
        steps.append(
            ExplainedStep("the mode", f"{mode} asks nobody, so it is denied", decided=True)
        )
    return tuple(steps)


def _step_of(decision: Decision, mode: PermissionMode, ground: Ground) -> int:
    """Tell at which step ``decide`` came to a decision."""
    match decision:
        case Denied(by="hook"):
            return _HOOK
        case Denied(by="sandbox"):
            return _PROTECTED
        case Denied():
            return _DENY if decision.by == "rule" else _QUESTION
        case Allowed(by="hook"):
            return _HOOK_YES
        case Allowed(by="sandbox"):
            return _SANDBOX
        case Allowed(by="mode") if MODES[mode].approves_all:
            return _ALL
        case Allowed():
            return _ALLOW
        case MustAsk(decided_by="rule"):
            return _ASK if decision.rule is not None else _DENY
        case MustAsk(decided_by="hook"):
            return _ASK
        case MustAsk(decided_by="other"):
            return _YOU
        case MustAsk(decided_by="critical"):
            return _CRITICAL
        case MustAsk(decided_by="unparsable"):
            return _UNCLEAR
        case MustAsk(decided_by="path", blocked_path=str(path), default_to_no=True):
            return _PROTECTED if ground.protected(path) else _QUESTION
        case MustAsk():
            return _QUESTION


def _passed(step: int, mode: PermissionMode, rules: RuleBook) -> str:
    """Say of a step that decided nothing what it looked at."""
    match step:
        case 1:
            return _none_of(len(rules.deny), "deny")
        case 2:
            return _none_of(len(rules.ask), "ask")
        case 5:
            return f"{mode} is not one"
        case 9:
            return _none_of(len(rules.allow), "allow")
        case _:
            return "nothing"


def _none_of(count: int, behavior: RuleBehavior) -> str:
    if not count:
        return f"there are no {behavior} rules"
    return (
        f"the one {behavior} rule doesn't cover it" if count == 1 else f"none of {count} covers it"
    )


# What would change it ---------------------------------------------------------------------------------------------------


def _changes(
    decision: Decision,
    asked: Decision,
    rule: Rule | None,
    judge: Judge,
    mode: PermissionMode,
    rules: RuleBook,
) -> Iterator[str]:
    now = outcome_of(decision)
    if rule is not None:
        then = judge(mode, _without(rules, rule))
        still = "" if outcome_of(then) != now else f" all the same: {_reason(then, mode)}"
        word = WOULD[outcome_of(then)]
        yield f"Without the {rule.behavior} rule {rule} {word}{still or '.'}"
    if isinstance(asked, MustAsk):
        yield from _with_rules(asked, judge, mode, rules)
    by_outcome: dict[Outcome, list[str]] = {}
    for other in TRIED:
        then = outcome_of(judge(other, rules))
        if other != mode and then != now:
            by_outcome.setdefault(then, []).append(other)
    for then, modes in by_outcome.items():
        yield f"In mode {' or '.join(modes)} {WOULD[then]}."


def _classified(
    inquiry: Inquiry, asked: Decision, mode: PermissionMode, ground: Ground
) -> Iterator[str]:
    """Say whether a classifier would look at the question first."""
    if mode != "auto" or not isinstance(asked, MustAsk):
        return
    why = needs_a_person(inquiry.access, inquiry.tool_input, asked, ground)
    if why:
        yield f"No classifier is asked, in no mode: {why}."
    else:
        yield "In mode auto a classifier looks at it before you are asked; it may let it run."


def _with_rules(
    question: MustAsk, judge: Judge, mode: PermissionMode, rules: RuleBook
) -> Iterator[str]:
    for update in question.suggestions:
        named = " and ".join(str(rule) for rule in update.rules)
        if named and isinstance(judge(mode, rules.with_update(update)), Allowed):
            s = "s" if len(update.rules) > 1 else ""
            yield f"With the allow rule{s} {named} it would run."


def _without(rules: RuleBook, gone: Rule) -> RuleBook:
    def kept(some: tuple[Rule, ...]) -> tuple[Rule, ...]:
        return tuple(rule for rule in some if rule != gone)

    return replace(rules, allow=kept(rules.allow), ask=kept(rules.ask), deny=kept(rules.deny))
