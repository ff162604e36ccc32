"""Reading and printing rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.permissions.rule import (
    MAX_RULE,
    Rule,
    RuleSource,
    canonical,
    param_rule,
    parse_rule,
    problem_of,
    restricts_nothing,
    tool_named,
)
from agent_tui.protocol.requests import PermissionRuleValue, RuleBehavior

tools = st.from_regex(r"[A-Za-z][A-Za-z0-9_*-]{0,12}", fullmatch=True)


@given(tools, st.none() | st.text(max_size=40))
def test_printing_then_reading_is_the_identity(tool: str, content: str | None) -> None:
    value = PermissionRuleValue(tool, content)
    assert parse_rule(str(value)) == value


@given(st.text(max_size=40))
def test_reading_then_printing_gives_the_text_again(text: str) -> None:
    value = parse_rule(text)
    assert value is None or str(value) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Bash(",
        "Bash(x",
        "Bash)x(",
        "(x)",
        "Bash(x) y",
        " Bash",
        "Ba sh(x)",
        "B" * (MAX_RULE + 1),
    ],
)
def test_what_is_no_rule_is_none(text: str) -> None:
    assert parse_rule(text) is None


def rule(text: str, behavior: RuleBehavior = "allow") -> Rule:
    value = parse_rule(text)
    assert value is not None
    return Rule(behavior, value, RuleSource("user"))


def test_a_rule_for_the_whole_tool_has_several_spellings() -> None:
    for text in ("Bash", "Bash()", "Bash(*)", "Bash(:*)"):
        assert rule(text).whole
        assert rule(text).content is None
        assert str(rule(text)) == text
    assert rule("Bash(ls)").content == "ls"


def test_old_names_are_understood() -> None:
    assert rule("Task(Explore)").tool == "Agent"
    assert rule("KillShell").tool == "TaskStop"
    assert canonical("BashOutput") == "TaskOutput"
    assert canonical("Bash") == "Bash"


@pytest.mark.parametrize(
    ("text", "behavior", "fine"),
    [
        ("Write(src/**)", "deny", False),
        ("Glob(src/**)", "allow", False),
        ("Read(src/**)", "allow", True),
        ("Read(!x)", "deny", False),
        ("Read(~)", "deny", False),
        ("Read(~/)", "deny", True),
        ("WebFetch(domain:a.b)", "allow", True),
        ("WebFetch(a.b)", "allow", False),
        ("WebFetch(domain:)", "deny", False),
        ("mcp__a__*", "allow", True),
        ("mcp__*", "allow", False),
        ("mcp__*", "deny", True),
        ("*", "allow", False),
        ("*", "deny", True),
        ("Agent(model:opus)", "deny", True),
        ("Odd(model:opus)", "deny", True),
        ("Odd(model:opus)", "allow", False),
        ("Bash(a\x00b)", "deny", False),
        ("bash(rm *)", "deny", False),
        ("Bash(command:rm *)", "deny", False),
        ("Bash(command:*)", "allow", True),
        ("Bash(run_in_background:true)", "ask", True),
        ("Bash(run_in_background:true)", "allow", False),
        ("Bash(npm:*)", "allow", True),
        ("Agent(model:opus)", "allow", False),
        ("Agent(plugin:reviewer)", "allow", True),
        ("Write(replace:true)", "deny", True),
        ("Write(file_path:x)", "deny", False),
        ("WebFetch(prompt:*)", "deny", True),
        ("WebFetch(url:x)", "deny", False),
        ("WebSearch", "allow", True),
        ("WebSearch(x)", "allow", False),
        ("Skill(deploy *)", "allow", True),
        ("Monitor(tail *)", "allow", True),
        ("Cd(~/code/**)", "allow", True),
        ("Cd(!x)", "allow", False),
        ("ExitPlanMode", "deny", True),
        ("ExitPlanMode(now)", "deny", False),
        ("mcp__a__t(path:x)", "deny", False),
        ("mcp__a__t(mode:x)", "deny", True),
        ("mcp__a__t(mode:x)", "allow", False),
        ("LSP(x)", "allow", False),
    ],
)
def test_a_rule_that_can_t_be_used_is_told(text: str, behavior: RuleBehavior, fine: bool) -> None:
    value = parse_rule(text)
    assert value is not None
    assert (problem_of(value, behavior) is None) == fine


def test_fields_of_the_input_may_be_named_but_not_the_main_ones() -> None:
    assert param_rule("model:opus") == ("model", "opus")
    assert param_rule("run_in_background:true") == ("run_in_background", "true")
    assert param_rule("command:rm *") is None
    assert param_rule("npm run") is None


def test_names_of_tools_are_matched() -> None:
    assert tool_named(rule("Bash"), "Bash")
    assert tool_named(rule("mcp__a"), "mcp__a__t")
    assert tool_named(rule("mcp__a__*"), "mcp__a__t")
    assert tool_named(rule("*"), "Anything")
    assert not tool_named(rule("mcp__a"), "mcp__ab__t")
    assert not tool_named(rule("Bas"), "Bash")
    assert not tool_named(rule("mcp__a__b"), "mcp__a__b__t")
    assert tool_named(rule("mcp__a__b", "deny"), "mcp__a__b__t")


def test_a_restriction_of_what_is_not_ours_restricts_nothing_here() -> None:
    values = {text: parse_rule(text) for text in ("Write(x)", "Odd(x)", "bash(x)", "mcp__a(x)")}
    found = {text: value is not None and restricts_nothing(value) for text, value in values.items()}
    assert found == {"Write(x)": True, "Odd(x)": True, "bash(x)": False, "mcp__a(x)": False}


def test_rules_are_ordered_by_source_and_then_by_text() -> None:
    given = [
        Rule("deny", PermissionRuleValue("Bash", what), RuleSource(source))
        for source in ("user", "odd", "managed", "local")
        for what in ("z", "a")
    ]
    assert [(r.source.name, r.content) for r in sorted(given, key=lambda rule: rule.rank)] == [
        (source, what) for source in ("managed", "local", "user", "odd") for what in ("a", "z")
    ]


def test_a_source_says_where_it_is() -> None:
    assert str(RuleSource("user", "/x/settings.json", 3)) == "/x/settings.json:3"
    assert str(RuleSource("user", "/x/settings.json")) == "/x/settings.json"
    assert str(RuleSource("flag")) == "the command line"
    assert str(RuleSource("session")) == "the session rules"
