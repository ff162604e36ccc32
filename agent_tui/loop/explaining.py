"""What a session's permissions come to: the explanation of a call, and everything calls are judged by."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from agent_tui.loop.limited_rules import Grant
from agent_tui.loop.policy import Judged, Policy
from agent_tui.permissions.explain import explain, told
from agent_tui.permissions.inquiry import Inquiry, read_inquiry
from agent_tui.permissions.rule import Rule
from agent_tui.protocol.access import NoAccess, RunCommand
from agent_tui.protocol.explanations import ExplainedRule, Explanation, PermissionsInForce
from agent_tui.protocol.requests import Destination, RuleBehavior

Fence: TypeAlias = Callable[[RunCommand], RunCommand]
"""Says of a shell line whether it would run in the sandbox."""

ORDER: tuple[RuleBehavior, ...] = ("deny", "ask", "allow")


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of the permissions beside the policy: see ``PermissionsInForce``.

    ``own`` gives the file that answers are stored in, by destination: rules in it are the person's to remove.
    """

    problems: tuple[str, ...] = ()
    trusted: bool | None = None
    sandbox: str = ""
    own: dict[Destination, str] | None = None


def explain_text(policy: Policy, text: str, fence: Fence | None = None) -> tuple[Explanation, ...]:
    """Say what would be decided over what ``text`` means. Looks at files: use it in a thread.

    Raises:
        ValueError: it means nothing that could be decided over.
    """
    here = policy.ground(_judged(Inquiry("", {}, NoAccess())))
    return tuple(_explained(policy, inquiry, fence) for inquiry in read_inquiry(text, here))


def in_force(policy: Policy, around: Around) -> PermissionsInForce:
    """Give everything that calls are judged by now."""
    rules = policy.rules
    return PermissionsInForce(
        policy.mode,
        tuple(
            row
            for behavior in ORDER
            for rule in rules.rules(behavior)
            for row in _rows(rule, policy.limited.grants, around)
        ),
        tuple(map(str, policy.working_dirs)),
        around.problems,
        around.trusted,
        around.sandbox,
    )


def _explained(policy: Policy, inquiry: Inquiry, fence: Fence | None) -> Explanation:
    if isinstance(inquiry.access, RunCommand) and fence is not None:
        inquiry = replace(inquiry, access=fence(inquiry.access))
    call = _judged(inquiry)
    return explain(
        inquiry,
        partial(policy.judge_by, call),
        mode=policy.mode,
        rules=policy.rules,
        ground=policy.ground(call),
    )


def _judged(inquiry: Inquiry) -> Judged:
    return Judged(inquiry.access, inquiry.tool, inquiry.tool_input, None, inquiry.read_only)


def _rows(rule: Rule, grants: Iterable[Grant], around: Around) -> Iterator[ExplainedRule]:
    """Give a rule; where it holds for a while only, with what is left of it."""
    row = replace(told(rule), removable=_removable(rule, around.own or {}))
    limited = [
        grant for grant in grants if rule.source.name == "session" and grant.rule == rule.value
    ]
    if not limited or rule.behavior != "allow":
        yield row
        return
    for grant in limited:
        yield replace(row, left=_left(grant))


def _removable(rule: Rule, own: dict[Destination, str]) -> Destination | None:
    """Say where a rule can be removed from: it is the session's, or stands in a file that answers are stored in."""
    if rule.source.name == "session":
        return "session"
    by_name: dict[str, Destination] = {
        "local": "localSettings",
        "project": "projectSettings",
        "user": "userSettings",
    }
    destination = by_name.get(rule.source.name)
    if destination is None or (rule.source.path and rule.source.path != own.get(destination)):
        return None
    return destination


def _left(grant: Grant) -> str:
    if grant.calls is not None:
        return f"{grant.calls} call{'s' if grant.calls != 1 else ''} left"
    if grant.until is not None:
        minutes = max(0, round((grant.until - time.time()) / 60))
        return f"{minutes} min left" if minutes else "under a minute left"
    return "for this task"
