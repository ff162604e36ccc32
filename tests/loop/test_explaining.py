"""The permissions of a session, told."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.loop.explaining import Around, explain_text, in_force, sandbox_words
from agent_tui.loop.policy import Policy, Surroundings
from agent_tui.permissions.resolver import RealResolver
from agent_tui.protocol.access import RunCommand
from agent_tui.protocol.requests import (
    Destination,
    GrantLimit,
    PermissionRuleValue,
    PermissionUpdate,
    RuleBehavior,
)
from tests.permissions.ground import book

FILE = "/home/me/settings.json"


def policy(folder: Path, **rules: list[str]) -> Policy:
    around = Surroundings(folder, (), lambda: str(folder), folder)
    return Policy("default", book(**rules), around, RealResolver(str(folder)))


def added(
    on: Policy,
    text: str,
    *,
    behavior: RuleBehavior = "allow",
    where: Destination = "session",
    limit: GrantLimit | None = None,
) -> None:
    rule = PermissionRuleValue("Bash", text)
    on.update((PermissionUpdate("addRules", (rule,), behavior, destination=where, limit=limit),))


def test_what_is_explained_is_what_the_policy_decides(tmp_path: Path) -> None:
    on = policy(tmp_path, allow=["Bash(make *)"])
    [before] = explain_text(on, "make all")
    assert (before.outcome, before.mode) == ("allow", "default")
    added(on, "make all", behavior="deny")
    [after] = explain_text(on, "make all")
    assert (after.outcome, after.rule and after.rule.origin) == ("deny", "session")
    on.mode = "acceptEdits"
    assert explain_text(on, "Edit a.txt")[0].outcome == "allow"


def test_looking_counts_no_call_of_a_rule_that_holds_for_some(tmp_path: Path) -> None:
    on = policy(tmp_path)
    added(on, "make", limit=GrantLimit(calls=1))
    for _ in range(3):
        assert explain_text(on, "make")[0].outcome == "allow"
    assert [row.left for row in in_force(on, Around()).rules] == ["1 call left"]


def test_a_line_is_judged_as_it_would_run_in_the_sandbox(tmp_path: Path) -> None:
    def fenced(access: RunCommand) -> RunCommand:
        return replace(access, sandboxed=True, unasked=True)

    [found] = explain_text(policy(tmp_path), "make", fenced)
    assert (found.outcome, found.by) == ("allow", "sandbox")


def test_nothing_can_be_said_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="what about"):
        explain_text(policy(tmp_path), " ")


def test_rules_come_in_the_order_they_are_looked_at(tmp_path: Path) -> None:
    on = policy(tmp_path, allow=["Bash(a)"], deny=["Bash(b)"], ask=["Bash(c)"])
    state = in_force(on, Around(("x is left out.",), trusted=False, sandbox="off"))
    assert [(row.behavior, row.text) for row in state.rules] == [
        ("deny", "Bash(b)"),
        ("ask", "Bash(c)"),
        ("allow", "Bash(a)"),
    ]
    assert {row.source for row in state.rules} == {f"{FILE}:7"}
    assert (state.mode, state.folders) == ("default", (str(tmp_path),))
    assert (state.problems, state.trusted, state.sandbox) == (("x is left out.",), False, "off")


def test_only_the_persons_own_rules_can_be_removed(tmp_path: Path) -> None:
    on = policy(tmp_path, allow=["Bash(a)"])
    added(on, "b")
    added(on, "c", where="localSettings")
    own: dict[Destination, str] = {"localSettings": "/p/.claude/settings.local.json"}
    rows = {row.text: row for row in in_force(on, Around(own=own)).rules}
    assert rows["Bash(a)"].removable is None
    assert rows["Bash(b)"].removable == "session"
    assert rows["Bash(c)"].removable == "localSettings"
    assert rows["Bash(c)"].source == "/p/.claude/settings.local.json"
    own["userSettings"] = FILE
    rows = {row.text: row for row in in_force(on, Around(own=own)).rules}
    assert rows["Bash(a)"].removable == "userSettings"


def test_what_is_left_of_a_rule_is_told(tmp_path: Path) -> None:
    on = policy(tmp_path)
    added(on, "a", limit=GrantLimit(calls=2))
    added(on, "b", limit=GrantLimit(task=True))
    added(on, "c", limit=GrantLimit(minutes=5))
    added(on, "d", limit=GrantLimit(minutes=5, until=time.time() + 10))
    left = {row.text: row.left for row in in_force(on, Around()).rules}
    assert left == {
        "Bash(a)": "2 calls left",
        "Bash(b)": "for this task",
        "Bash(c)": "5 min left",
        "Bash(d)": "under a minute left",
    }


def test_the_sandbox_in_words() -> None:
    assert sandbox_words(on=False, unasked=False) == "off"
    assert sandbox_words(on=True, unasked=True) == "on, commands inside it need no approval"
    assert sandbox_words(on=True, unasked=False) == "on, commands are asked as usual"
