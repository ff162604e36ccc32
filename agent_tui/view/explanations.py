"""Explanations of decisions as plain text: for the conversation, ``-p`` and the shell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_tui.protocol.explanations import (
    ExplainedPart,
    ExplainedRule,
    Explanation,
    Outcome,
    PermissionsInForce,
)
from agent_tui.protocol.requests import RuleBehavior
from agent_tui.view.decisions import short_source

OUTCOMES: dict[Outcome, str] = {"allow": "runs", "ask": "asks you", "deny": "denied"}
"""What a call would come to, in a word or two."""
TITLES: dict[RuleBehavior, str] = {"deny": "Deny", "ask": "Ask", "allow": "Allow"}
TRUST = {True: "trusted", False: "not trusted", None: "brings nothing that needs trust"}
WIDEST = 60


def explanation_text(explanations: Sequence[Explanation], home: str = "") -> str:
    """Write explanations, a blank line between two. ``home`` is written as ``~`` where rules stand."""
    return "\n\n".join("\n".join(_explanation(one, home)) for one in explanations)


def in_force_text(state: PermissionsInForce, home: str = "") -> str:
    """Write what calls are judged by: the rules by what they do, each with where it stands."""
    return "\n".join(_in_force(state, home))


def rule_place(rule: ExplainedRule, home: str) -> str:
    """Say where a rule stands and what is left of it."""
    place = short_source(rule.source, home)
    return f"{place}, {rule.left}" if rule.left else place


def _explanation(one: Explanation, home: str) -> Iterator[str]:
    yield one.call
    yield f"{OUTCOMES[one.outcome]}: {_tilde(one.reason, home)}"
    if one.rule is not None and one.rule.text not in one.reason:
        yield f"rule: {one.rule.behavior} {one.rule.text}  {rule_place(one.rule, home)}"
    if one.paths:
        yield f"path: {', '.join(_tilde(path, home) for path in one.paths)}"
    if one.problem:
        yield f"not understood: {one.problem}"
    if one.parts:
        yield ""
        yield from _parts(one.parts, home)
    yield ""
    yield "Looked at in this order:"
    for number, step in enumerate(one.steps, 1):
        mark = "  <- decides" if step.decided else ""
        yield f"  {number:>2}  {step.name}: {_tilde(step.found, home)}{mark}"
    if one.changes:
        yield ""
        yield "What would change it:"
        yield from (f"  - {change}" for change in one.changes)


def _parts(parts: Sequence[ExplainedPart], home: str) -> Iterator[str]:
    rows = [("  " * (1 + part.inside) + " ".join(part.text.split()), part) for part in parts]
    first = min(WIDEST, max(len(text) for text, _ in rows))
    for text, part in rows:
        decided = "  ".join(_tilde(part.decided_by, home).split("  "))
        effect = f"  ({part.effect})" if part.effect else ""
        yield f"{text.ljust(first)}  {OUTCOMES[part.outcome]:<8}  {decided}{effect}"
        yield from (f"{'  ' * (2 + part.inside)}runs {run}" for run in part.runs)


def _in_force(state: PermissionsInForce, home: str) -> Iterator[str]:
    yield f"mode: {state.mode}"
    folders = [short_source(folder, home) for folder in state.folders]
    if folders:
        yield f"folders: {', '.join(folders)}"
    yield f"folder: {TRUST[state.trusted]}"
    if state.sandbox:
        yield f"sandbox: {state.sandbox}"
    for behavior in ("deny", "ask", "allow"):
        rules = [rule for rule in state.rules if rule.behavior == behavior]
        if not rules:
            continue
        yield ""
        yield TITLES[behavior]
        widest = min(WIDEST, max(len(rule.text) for rule in rules))
        for rule in rules:
            yield f"  {rule.text.ljust(widest)}  {rule_place(rule, home)}"
    if not state.rules:
        yield ""
        yield "There are no rules."
    if state.problems:
        yield ""
        yield "Left out"
        yield from (f"  {_tilde(problem, home)}" for problem in state.problems)


def _tilde(text: str, home: str) -> str:
    """Write the home folder as ``~`` where it stands in a sentence."""
    return text.replace(f"{home}/", "~/") if len(home) > 1 else text
