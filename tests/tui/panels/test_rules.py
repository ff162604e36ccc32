from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.permissions.rule import problem_of
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from agent_tui.tui.panels import rules

BOTH = PermissionUpdate(
    "addRules",
    (PermissionRuleValue("Bash", "git log *"), PermissionRuleValue("Read")),
)


def test_rules_are_written_and_read_back() -> None:
    assert rules.rules_text(BOTH) == "Bash(git log *), Read"
    assert rules.parse_rules(rules.rules_text(BOTH)) == BOTH.rules


def test_commas_and_parentheses_inside_a_rule_belong_to_it() -> None:
    (rule,) = rules.parse_rules("Bash(python -c 'print(1, 2)')")
    assert rule == PermissionRuleValue("Bash", "python -c 'print(1, 2)'")


@pytest.mark.parametrize("text", ["", " , ", "Bash(", "rm -rf", "(x)"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="rule"):
        rules.parse_rules(text)


def test_an_answer_says_in_words_what_it_stores() -> None:
    assert rules.stores(BOTH, "localSettings") == (
        "stores ",
        "Bash(git log *) and Read",
        " in settings.local.json",
    )
    mode = PermissionUpdate("setMode", mode="acceptEdits")
    assert "".join(rules.stores(mode, "session")) == "switches to mode acceptEdits"
    folder = PermissionUpdate("addDirectories", directories=("/data",))
    assert "/data" in "".join(rules.stores(folder, "userSettings"))


def test_updates_are_kept_where_they_are_asked_to_be() -> None:
    (update,) = rules.at_place([BOTH], "userSettings")
    assert update.destination == "userSettings"
    assert update.rules == BOTH.rules


TOOLS = ("Bash", "Read", "Edit", "Write", "Grep", "Glob", "Agent", "TaskList", "NotebookEdit")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Bsh(git log *)", "there is no tool 'Bsh' here; did you mean Bash?"),
        ("Whatever", "there is no tool 'Whatever' here"),
        ("Write(**)", r"Write\(...\) is never looked at: write Edit\(\*\*\)"),
        ("Bash(ls), Grep(src/**)", r"write Read\(src/\*\*\)"),
        ("TaskList(x)", "TaskList takes nothing in parentheses"),
        ("B*", r"only a server's may have a \*"),
    ],
)
def test_a_rule_that_could_never_do_what_it_says_is_refused_with_the_reason(
    text: str, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        rules.parse_rules(text, TOOLS)


@pytest.mark.parametrize(
    "text", ["mcp__git__push", "mcp__git__*", "Write", "Write(*)", "Agent(Explore)"]
)
def test_what_may_be_ruled_is_taken(text: str) -> None:
    assert rules.rules_text(replace(BOTH, rules=rules.parse_rules(text, TOOLS))) == text


@pytest.mark.parametrize("tool", [*TOOLS, "WebFetch", "Monitor", "Skill", "TodoWrite"])
@pytest.mark.parametrize("content", ["src/a.py", "*", None])
def test_it_refuses_what_the_rule_book_would_leave_out(tool: str, content: str | None) -> None:
    rule = PermissionRuleValue(tool, content)
    if tool == "WebFetch" and content == "src/a.py":
        rule = PermissionRuleValue(tool, "domain:example.com")
    assert bool(rules.problem(rule)) == bool(problem_of(rule, "allow"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Bash", "every command"),
        ("Bash(*)", "every command"),
        ("Bash(:*)", "every command"),
        ("Bash(g* status)", "every command that begins like that"),
        ("Bash(python *)", "any program"),
        ("Bash(/usr/bin/env:*)", "any program"),
        ("Edit", "every call"),
        ("Edit(//**)", "every edit"),
        ("Read(~/**)", "every read"),
        ("WebFetch(domain:*.com)", "more than one host"),
        ("mcp__git", "more than one tool"),
        ("mcp__git__*", "more than one tool"),
    ],
)
def test_a_rule_much_wider_than_it_looks_is_warned_of(text: str, why: str) -> None:
    [warning] = rules.warnings(rules.parse_rules(text))
    assert why in warning


@pytest.mark.parametrize(
    "text",
    [
        "Bash(git log *)",
        "Bash(python -m pytest *)",
        "Bash(python a.py)",
        "Edit(src/**)",
        "WebSearch",
    ],
)
def test_a_usual_rule_is_not_warned_of(text: str) -> None:
    assert rules.warnings(rules.parse_rules(text)) == ()


def test_each_place_says_for_whom_a_rule_holds() -> None:
    assert set(rules.PLACE_EFFECTS) == set(rules.PLACES)
    assert "trust" in rules.PLACE_EFFECTS["projectSettings"]
