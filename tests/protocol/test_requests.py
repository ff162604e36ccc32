from __future__ import annotations

import pytest

from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    GrantLimit,
    PermissionRequest,
    PermissionRuleValue,
)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (PermissionRuleValue("Bash"), "Bash"),
        (PermissionRuleValue("Bash", ""), "Bash()"),
        (PermissionRuleValue("Bash", "git log *"), "Bash(git log *)"),
    ],
)
def test_a_rule_is_printed_as_it_is_written(rule: PermissionRuleValue, text: str) -> None:
    assert str(rule) == text


def test_an_answer_says_by_itself_which_it_is() -> None:
    assert (Allow().behavior, Deny().behavior) == ("allow", "deny")
    assert not Deny().interrupt


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (GrantLimit(task=True), "for this task"),
        (GrantLimit(calls=1), "for 1 call"),
        (GrantLimit(calls=5), "for 5 calls"),
        (GrantLimit(minutes=10, until=1.0), "for 10 minutes"),
    ],
)
def test_a_limit_is_said_in_words(limit: GrantLimit, text: str) -> None:
    assert str(limit) == text


def test_a_request_says_what_its_call_would_do_in_its_own_words() -> None:
    def asked(**given: object) -> PermissionRequest:
        return PermissionRequest("r", "Bash", "t", dict(given), TextDisplay(), "?", "")

    assert asked(command="ls", description="List").says == "List"
    assert asked(command="ls", description="").says == "ls"
    assert asked(file_path="/a", old_string="b").says == "/a"
    assert asked(n=1).says is None
