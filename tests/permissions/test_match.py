"""Path patterns."""

from __future__ import annotations

import pytest

from agent_tui.permissions.match import (
    Anchors,
    PathRule,
    literal_path,
    read_patterns,
    rule_covers_host,
    rule_covers_mcp,
    value_fits,
)
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rule import Rule, RuleSource, parse_rule
from agent_tui.protocol.access import CallMcp
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
        ("a[bc]", "/nowhere/p/ab", True, True),
        ("a[bc]", "/nowhere/p/ad", False, False),
        ("a[b-d_]", "/nowhere/p/ac", True, True),
        ("a[b-d_]", "/nowhere/p/a_", True, True),
        ("a[!b-d]", "/nowhere/p/ac", False, False),
        ("a[^b-d]", "/nowhere/p/ax", True, True),
        ("a[]x]", "/nowhere/p/a]", True, True),
        ("a[\\]x]", "/nowhere/p/a]", True, True),
        ("a[b", "/nowhere/p/a[b", True, True),
        ("a\\[bc]", "/nowhere/p/a[bc]", True, True),
        ("a\\[bc]", "/nowhere/p/ab", False, False),
        ("app/[id]/x", "/nowhere/p/app/[id]/x", False, True),
        ("app/[id]/x", "/nowhere/p/app/d/x", True, True),
        ("../q/x", "/nowhere/q/x", True, True),
        ("./../q/**", "/nowhere/q/a/b", True, True),
        ("/a/../b", "/nowhere/p/b", True, True),
        ("//etc/../var/x", "/var/x", True, True),
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
    assert PathRule.of(rule("./.[d-f]nv", "deny"), ANCHORS, folding).covers(other)
    assert not PathRule.of(rule("./.[d-f]nv", "deny"), ANCHORS, RESOLVER).covers(other)


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


def test_fields_are_held_against_what_a_tool_would_read() -> None:
    for value in (True, "true", "True", " yes ", 1, "1", "on"):
        assert value_fits("true", {"flag": value}, "flag"), value
    others: list[object] = [False, "no", 0, None, [1], {"a": 1}, "truest"]
    for value in others:
        assert not value_fits("true", {"flag": value}, "flag"), value
    assert value_fits("*", {"flag": "x"}, "flag")
    assert not value_fits("*", {}, "flag")
    assert not value_fits("*", {"flag": None}, "flag")
    assert value_fits("5", {"n": 5.0}, "n")
    assert value_fits("op*", {"model": "opus"}, "model")


@pytest.mark.parametrize(
    ("rule_text", "server", "tool", "allow", "deny"),
    [
        ("mcp__a", "a", "t", True, True),
        ("mcp__a__t", "a", "t", True, True),
        ("mcp__a__*", "a", "t", True, True),
        ("mcp__a__t*", "a", "tool", True, True),
        ("mcp__a__t", "a", "tool", False, False),
        ("mcp__a", "ab", "t", False, False),
        ("mcp__x__y", "x__y", "z", True, True),
        ("mcp__x__y", "x", "y__z", False, True),
        ("mcp__x", "x__y", "z", False, True),
        ("mcp__x__*", "x__y", "z", False, True),
        ("mcp__*", "a", "t", False, True),
        ("*", "a", "t", False, True),
    ],
)
def test_names_of_servers_and_their_tools(
    rule_text: str, server: str, tool: str, allow: bool, deny: bool
) -> None:
    value = parse_rule(rule_text)
    assert value is not None
    call, name = CallMcp(server, tool), f"mcp__{server}__{tool}"
    assert rule_covers_mcp(Rule("allow", value, RuleSource("user")), call, name) == allow
    assert rule_covers_mcp(Rule("deny", value, RuleSource("user")), call, name) == deny


@pytest.mark.parametrize(
    ("host", "url", "expected"),
    [
        ("example.com", "https://EXAMPLE.com./x", True),
        ("EXAMPLE.com.", "https://example.com", True),
        ("example.com", "https://a.example.com", False),
        ("*.example.com", "https://a.b.example.com:8443/x", True),
        ("*.example.com", "https://example.com", False),
        ("*.example.com", "https://notexample.com", False),
        ("*", "https://anything.at.all", True),
        ("api-*.example.com", "https://api-eu.example.com", True),
        ("api-*.example.com", "https://api-eu.x.example.com", False),
        ("example.com", "https://example.com@evil.com/", False),
        ("example.com", "https://evil.com/example.com", False),
        ("example.com", "not an address", False),
        ("*", "file:///etc/passwd", False),
        ("example.com", "http://[::1", False),
    ],
)
def test_hosts_mean_what_is_documented(host: str, url: str, expected: bool) -> None:
    assert rule_covers_host(f"domain:{host}", url, strict=True) == expected
    assert rule_covers_host(f"domain:{host}", url, strict=False) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.com\\@good.com/",
        "https://good.com\\@evil.com/",
        "https://\uff45vil.com/",
        "https://evil\u3002com/",
    ],
)
def test_a_host_that_can_be_read_in_two_ways_is_forbidden_by_either_and_allowed_by_neither(
    url: str,
) -> None:
    assert rule_covers_host("domain:evil.com", url, strict=True)
    assert not rule_covers_host("domain:good.com", url, strict=False)
    assert not rule_covers_host("domain:evil.com", url, strict=False)
