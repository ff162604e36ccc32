"""Rules of settings files, alone and with examples."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.positions import Written
from agent_tui.settings.rule_entries import (
    MAX_EXAMPLES,
    RuleExample,
    SourcedRule,
    read_entries,
    rule_of,
)


def read(permissions: Any) -> tuple[list[SourcedRule], list[str]]:
    text = json.dumps({"permissions": permissions}, indent=1)
    return read_entries(permissions, Written("/s.json", text), "user", "/anchor")


def test_a_rule_alone_and_a_rule_with_examples_know_their_lines() -> None:
    entry = {"rule": "Bash(git push *)", "match": ["git push -f"], "not_match": ["git pull", "ls"]}
    rules, problems = read({"deny": ["Read(x)", entry], "allow": ["Bash(ls)"]})
    assert problems == []
    assert rules == [
        SourcedRule("allow", "Bash(ls)", "user", "/s.json", 17, "/anchor"),
        SourcedRule("deny", "Read(x)", "user", "/s.json", 4, "/anchor"),
        SourcedRule(
            "deny",
            "Bash(git push *)",
            "user",
            "/s.json",
            6,
            "/anchor",
            (
                RuleExample("git push -f", True, 8),
                RuleExample("git pull", False, 11),
                RuleExample("ls", False, 12),
            ),
        ),
    ]


def test_examples_may_be_left_out() -> None:
    rules, _ = read({"ask": [{"rule": "Bash"}]})
    assert rules == [SourcedRule("ask", "Bash", "user", "/s.json", 5, "/anchor")]


WRONG: list[tuple[Any, int, str]] = [
    (7, 4, "7, which is no rule"),
    (None, 4, "None"),
    (["Bash"], 4, "no rule"),
    ({"rule": 7}, 5, "no text"),
    ({"match": ["ls"]}, 4, "no text"),
    ({"rule": "Bash", "matches": ["ls"]}, 6, "'matches' beside the rule Bash"),
    ({"rule": "Bash", "match": "ls"}, 6, "match is no list"),
    ({"rule": "Bash", "not_match": [1]}, 7, "1 in not_match"),
    ({"rule": "Bash", "match": ["ls", "  "]}, 8, "'  ' in match"),
    ({"rule": "Bash", "match": ["x"] * (MAX_EXAMPLES + 1)}, 6, f"more than {MAX_EXAMPLES}"),
]


@pytest.mark.parametrize(("entry", "line", "words"), WRONG)
def test_an_entry_that_cant_be_read_is_named_with_its_line(
    entry: Any, line: int, words: str
) -> None:
    rules, [problem] = read({"allow": [entry, "Bash(ls)"]})
    assert [rule.text for rule in rules] == ["Bash(ls)"]
    assert problem.startswith(f"/s.json:{line}: permissions.allow holds ")
    assert words in problem
    assert "left out" in problem


@pytest.mark.parametrize("behavior", ["deny", "ask"])
@pytest.mark.parametrize(("entry", "line", "words"), WRONG)
def test_one_that_restricts_stops_the_start(
    behavior: str, entry: Any, line: int, words: str
) -> None:
    with pytest.raises(SettingsError) as error:
        read({behavior: [entry]})
    assert str(error.value).startswith(f"/s.json:{line}: permissions.{behavior} holds ")
    assert words in str(error.value)
    assert "nothing is started" in str(error.value)


@pytest.mark.parametrize("behavior", ["allow", "ask", "deny"])
def test_what_is_no_list_is_named_with_its_line(behavior: str) -> None:
    with pytest.raises(SettingsError, match=rf"/s\.json:3: permissions\.{behavior} must be a list"):
        read({behavior: {"rule": "Bash"}})


def test_a_long_value_is_shortened() -> None:
    _, [problem] = read({"allow": [["x" * 5000]]})
    assert len(problem) < 300


def test_the_rule_of_an_entry_is_its_text() -> None:
    assert rule_of("Bash") == "Bash"
    assert rule_of({"rule": "Bash", "match": []}) == "Bash"
    assert rule_of({"rule": 3}) is None
    assert rule_of(3) is None
