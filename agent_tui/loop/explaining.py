"""What a session's permissions come to: the explanation of a call, and everything calls are judged by."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from agent_tui.loop.limited_rules import Grant
from agent_tui.loop.policy import Judged, Policy
from agent_tui.permissions.explain import explain, told
from agent_tui.permissions.inquiry import Inquiry, read_inquiry
from agent_tui.permissions.rule import Rule
from agent_tui.protocol.access import NoAccess, RunCommand
from agent_tui.protocol.explanations import ExplainedRule, Explanation, PermissionsInForce
from agent_tui.protocol.requests import Destination, RuleBehavior
from agent_tui.settings.paths import Environment, project_settings, user_settings

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


def sandbox_words(*, on: bool, unasked: bool) -> str:
    """Say how shell commands are fenced in."""
    if not on:
        return "off"
    return (
        "on, commands inside it need no approval" if unasked else "on, commands are asked as usual"
    )


def own_files(env: Environment, project: Path) -> dict[Destination, str]:
    """Give the files with rules that are the person's own alone, by the destination of answers kept there."""
    return {
        "userSettings": str(user_settings(env)[1]),
        "localSettings": str(project_settings(project)[1]),
    }


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
    own = around.own or {}
    removable = _removable(rule, own)
    row = replace(told(rule), removable=removable)
    if removable in own and not rule.source.path:  # added since the file was read
        row = replace(row, source=own[removable])
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
