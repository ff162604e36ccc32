"""Rules about tools, names, addresses and fields."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.permissions.calls import covers_call, first_cover
from agent_tui.permissions.rule import Rule, RuleSource, parse_rule
from agent_tui.protocol.access import Access, AskUser, CallMcp, FetchUrl, NoAccess
from agent_tui.protocol.requests import RuleBehavior


def rule(text: str, behavior: RuleBehavior) -> Rule:
    value = parse_rule(text)
    assert value is not None
    return Rule(behavior, value, RuleSource("user"))


def covers(text: str, tool: str, access: Access = NoAccess(), **given: Any) -> tuple[bool, bool]:  # noqa: B008 - frozen
    """Tell whether the rule covers the call, as one that allows and as one that forbids."""
    return (
        covers_call(rule(text, "allow"), access, tool, given),
        covers_call(rule(text, "deny"), access, tool, given),
    )


BOTH, NEITHER, ONLY_DENY = (True, True), (False, False), (False, True)


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("Agent", "Explore", BOTH),
        ("Agent(Explore)", "Explore", BOTH),
        ("Task(Explore)", "Explore", BOTH),
        ("Agent(Explore)", "Explorer", NEITHER),
        ("Agent(Exp*)", "Explore", BOTH),
        ("Agent(general-purpose)", None, BOTH),
        ("Agent(Explore)", None, NEITHER),
        ("Agent(model:opus)", "Explore", ONLY_DENY),
        ("Agent(model:*)", "Explore", ONLY_DENY),
        ("Agent(model:haiku)", "Explore", NEITHER),
        ("Agent(isolation:*)", "Explore", NEITHER),
        ("Agent(plugin:review)", "plugin:review", BOTH),
    ],
)
def test_kinds_of_sub_agents(text: str, kind: str | None, expected: tuple[bool, bool]) -> None:
    given = {"model": "opus"} | ({} if kind is None else {"subagent_type": kind})
    assert covers(text, "Agent", NoAccess(), **given) == expected


@pytest.mark.parametrize(
    ("text", "skill", "args", "expected"),
    [
        ("Skill", "deploy", "", BOTH),
        ("Skill(deploy)", "deploy", "", BOTH),
        ("Skill(deploy)", "/deploy", "  ", BOTH),
        ("Skill(deploy)", "deploy", "prod", ONLY_DENY),
        ("Skill(deploy *)", "deploy", "", BOTH),
        ("Skill(deploy *)", "deploy", "prod", BOTH),
        ("Skill(deploy:*)", "deploy", "prod", BOTH),
        ("Skill(deploy *)", "deployer", "", NEITHER),
        ("Skill(deploy staging)", "deploy", "staging", BOTH),
        ("Skill(deploy staging)", "deploy", "prod", NEITHER),
    ],
)
def test_skills_alone_and_with_arguments(
    text: str, skill: str, args: str, expected: tuple[bool, bool]
) -> None:
    assert covers(text, "Skill", skill=skill, args=args) == expected


def test_input_that_names_nothing_is_not_covered_by_name() -> None:
    assert covers("Skill(deploy)", "Skill") == NEITHER
    assert covers("Agent(Explore)", "Agent", subagent_type=["Explore"]) == NEITHER


def test_addresses() -> None:
    page = FetchUrl("https://docs.example.com/x")
    assert covers("WebFetch", "WebFetch", page) == BOTH
    assert covers("WebFetch(domain:*.example.com)", "WebFetch", page) == BOTH
    assert covers("WebFetch(domain:example.com)", "WebFetch", page) == NEITHER
    assert covers("WebFetch(prompt:*secret*)", "WebFetch", page, prompt="the secret") == ONLY_DENY
    assert covers("WebSearch", "WebSearch", FetchUrl("")) == BOTH


def test_servers_and_what_needs_the_person() -> None:
    assert covers("mcp__a", "mcp__a__t", CallMcp("a", "t")) == BOTH
    assert covers("mcp__a__t(mode:fast)", "mcp__a__t", CallMcp("a", "t"), mode="fast") == ONLY_DENY
    assert covers("mcp__x__y", "mcp__x__y__z", AskUser()) == ONLY_DENY
    assert covers("mcp__x__y", "mcp__x__y__z", CallMcp("x__y", "z")) == BOTH


def test_a_tool_without_a_specifier_is_known_by_its_name() -> None:
    for tool in ("ExitPlanMode", "TaskCreate", "WebSearch", "Write"):
        assert covers(tool, tool) == BOTH
        assert covers(tool, f"{tool}s") == NEITHER
    assert covers("*", "TaskCreate") == BOTH
    assert covers("Task*", "TaskCreate") == BOTH


def test_the_first_rule_that_covers_is_given_with_the_tool() -> None:
    rules = [rule("Skill(a)", "deny"), rule("Skill(b)", "deny"), rule("Skill", "deny")]
    hit = first_cover(rules, NoAccess(), "Skill", {"skill": "b"})
    assert hit is not None
    assert (hit.rule, hit.what) == (rules[1], "Skill")
    assert first_cover(rules[:2], NoAccess(), "Skill", {"skill": "c"}) is None
