"""Explanations and rules as plain text."""

from __future__ import annotations

from agent_tui.protocol.explanations import (
    ExplainedPart,
    ExplainedRule,
    ExplainedStep,
    Explanation,
    PermissionsInForce,
)
from agent_tui.view.explanations import explanation_text, in_force_text, rule_place

PLACE = "/home/me/.agent-tui/settings.json:14"
RULE = ExplainedRule("ask", "Bash(git push *)", PLACE, "user")


def test_an_explanation_says_outcome_rule_parts_steps_and_what_would_change_it() -> None:
    found = Explanation(
        "Bash(git push && timeout 5 ls)",
        "ask",
        "rule",
        f"The rule Bash(git push *) in {PLACE} wants this asked.",
        "default",
        RULE,
        parts=(
            ExplainedPart("git push", "ask", "ask Bash(git push *)  user"),
            ExplainedPart("timeout 5 ls", "allow", "only looks", "", ("ls",)),
        ),
        steps=(
            ExplainedStep("deny rules", "none of 2 covers it"),
            ExplainedStep("ask rules", f"Bash(git push *), in {PLACE}", decided=True),
        ),
        changes=("In mode dontAsk it would be denied.",),
    )
    assert explanation_text((found,), "/home/me").splitlines() == [
        "Bash(git push && timeout 5 ls)",
        "asks you: The rule Bash(git push *) in ~/.agent-tui/settings.json:14 wants this asked.",
        "",
        "  git push      asks you  ask Bash(git push *)  user",
        "  timeout 5 ls  runs      only looks",
        "    runs ls",
        "",
        "Looked at in this order:",
        "   1  deny rules: none of 2 covers it",
        "   2  ask rules: Bash(git push *), in ~/.agent-tui/settings.json:14  <- decides",
        "",
        "What would change it:",
        "  - In mode dontAsk it would be denied.",
    ]


def test_a_path_and_a_problem_are_said() -> None:
    found = Explanation(
        "Read(x)",
        "allow",
        "read_only",
        "It looks.",
        "plan",
        paths=("/home/me/x", "inside"),
        problem="odd",
    )
    lines = explanation_text((found, found), "/home/me").splitlines()
    assert lines[2:4] == ["path: ~/x, inside", "not understood: odd"]
    assert lines.count("Read(x)") == 2


def test_rules_in_force_are_listed_by_what_they_do() -> None:
    limited = ExplainedRule("allow", "Bash(make)", "the session rules", "session", "2 calls left")
    state = PermissionsInForce(
        "default", (RULE, limited), ("/home/me/p",), (f"{PLACE}: left out.",), False, "off"
    )
    assert in_force_text(state, "/home/me").splitlines() == [
        "mode: default",
        "folders: ~/p",
        "folder: not trusted",
        "sandbox: off",
        "",
        "Ask",
        "  Bash(git push *)  ~/.agent-tui/settings.json:14",
        "",
        "Allow",
        "  Bash(make)  the session rules, 2 calls left",
        "",
        "Left out",
        "  ~/.agent-tui/settings.json:14: left out.",
    ]
    assert "There are no rules." in in_force_text(PermissionsInForce("plan"))
    assert rule_place(RULE, "") == PLACE
