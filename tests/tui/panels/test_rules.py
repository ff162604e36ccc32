from __future__ import annotations

import pytest

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
