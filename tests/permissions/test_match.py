"""Path patterns."""

from __future__ import annotations

import pytest

from agent_tui.permissions.match import Anchors, PathRule, literal_path, read_patterns
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rule import Rule, RuleSource, parse_rule
from agent_tui.protocol.requests import RuleBehavior

ANCHORS = Anchors("/nowhere/p", "/nowhere/p/sub", "/nowhere/me")
RESOLVER = RealResolver("/nowhere/me", folds_case=False)


def rule(text: str, behavior: RuleBehavior, anchor: str = "") -> Rule:
    value = parse_rule(f"Read({text})")
    assert value is not None
    return Rule(behavior, value, RuleSource("user", anchor=anchor))


def fits(text: str, path: str, behavior: RuleBehavior = "allow", anchor: str = "") -> bool:
    ready = PathRule.of(rule(text, behavior, anchor), ANCHORS, RESOLVER)
    return ready.covers((path, path))


@pytest.mark.parametrize(
    ("pattern", "path", "allow", "deny"),
    [
        ("//etc/hosts", "/etc/hosts", True, True),
        ("//etc", "/etc/hosts", False, True),
        ("//etc/**", "/etc/a/b", True, True),
        ("~/x", "/nowhere/me/x", True, True),
        ("~/**", "/nowhere/me/a/b", True, True),
        ("./a", "/nowhere/p/a", True, True),
        ("./a", "/nowhere/p/sub/a", False, True),
        ("a", "/nowhere/p/x/y/a", True, True),
        ("a/b", "/nowhere/p/a/b", True, True),
        ("a/b", "/nowhere/p/x/a/b", False, False),
        ("src/**", "/nowhere/p/src/x", True, True),
        ("src/**", "/nowhere/p/y/src/x", False, True),
        ("src/a/**", "/nowhere/p/y/src/a/x", False, False),
        ("**/src/**", "/nowhere/p/y/src/x", True, True),
        ("*.py", "/nowhere/p/a/b.py", True, True),
        ("./*.py", "/nowhere/p/a/b.py", False, False),
        ("a?c", "/nowhere/p/abc", True, True),
        ("a?c", "/nowhere/p/a/c", False, False),
        ("secret", "/nowhere/p/secret/key", False, True),
        ("secret/", "/nowhere/p/secret/key", True, True),
        ("a[bc]", "/nowhere/p/ab", False, True),
        ("a\\*b", "/nowhere/p/a*b", True, True),
        ("a\\*b", "/nowhere/p/axb", False, False),
        ("**", "/nowhere/p/x/y", True, True),
        ("**", "/nowhere/q", False, False),
        (".env", "/other/.env", False, False),
    ],
)
def test_patterns_mean_what_is_documented(pattern: str, path: str, allow: bool, deny: bool) -> None:
    assert fits(pattern, path, "allow") == allow
    assert fits(pattern, path, "deny") == deny
    assert fits(pattern, path, "ask") == deny


def test_a_slash_begins_where_the_rule_stands() -> None:
    assert fits("/a", "/nowhere/p/a")
    assert fits("/a", "/nowhere/me/.claude/a", anchor="/nowhere/me/.claude")
    assert not fits("/a", "/nowhere/p/a", anchor="/nowhere/me/.claude")


def test_a_denied_folder_itself_may_not_be_searched() -> None:
    assert fits("./private/**", "/nowhere/p/private", "deny")


def test_to_allow_name_and_file_must_fit_to_deny_one_is_enough() -> None:
    cases: list[tuple[RuleBehavior, bool]] = [("allow", False), ("deny", True), ("ask", True)]
    for behavior, expected in cases:
        ready = PathRule.of(rule("./a", behavior), ANCHORS, RESOLVER)
        assert ready.covers(("/nowhere/p/a", "/else/b")) == expected
        assert ready.covers(("/else/b", "/nowhere/p/a")) == expected


def test_case_may_be_folded_where_the_file_system_does() -> None:
    folding = RealResolver("/nowhere/me", folds_case=True)
    other = ("/nowhere/p/.ENV", "/nowhere/p/.ENV")
    assert PathRule.of(rule("./.env", "deny"), ANCHORS, folding).covers(other)
    assert not PathRule.of(rule("./.env", "allow"), ANCHORS, folding).covers(other)
    assert not PathRule.of(rule("./.env", "deny"), ANCHORS, RESOLVER).covers(other)


@pytest.mark.parametrize(
    ("pattern", "folder", "expected"),
    [
        ("./.env", "/nowhere/p", True),
        ("./.env", "/nowhere/p/src", False),
        (".env", "/nowhere/p/src", True),
        ("./private/**", "/nowhere/p", True),
        ("./private/**", "/nowhere/p/private/a", True),
        ("//etc/**", "/nowhere/p", False),
        ("//etc/**", "/", True),
    ],
)
def test_what_may_be_in_a_folder_is_known(pattern: str, folder: str, expected: bool) -> None:
    ready = PathRule.of(
        rule(pattern, "deny"), Anchors("/nowhere/p", "/nowhere/p", "/nowhere/me"), RESOLVER
    )
    assert ready.may_be_below(folder) == expected


def test_a_search_that_leaves_out_dot_files_does_not_meet_them() -> None:
    ready = PathRule.of(rule(".env", "deny"), ANCHORS, RESOLVER)
    assert not ready.may_be_below("/nowhere/p", hidden=False)
    assert ready.may_be_below("/nowhere/p", hidden=True)


def test_a_pattern_without_wildcards_names_one_path() -> None:
    patterns = read_patterns(rule("./a/b", "allow"), ANCHORS)
    assert [literal_path(pattern) for pattern in patterns] == ["/nowhere/p/a/b"]
    assert [literal_path(p) for p in read_patterns(rule("a", "allow"), ANCHORS)] == [None]
