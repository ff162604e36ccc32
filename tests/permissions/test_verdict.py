"""What is told of several hits, and the modes."""

from __future__ import annotations

from agent_tui.permissions.rule import Rule, RuleSource
from agent_tui.permissions.verdict import MODES, Hit, weightier
from agent_tui.protocol.messages import PERMISSION_MODES
from agent_tui.protocol.requests import PermissionRuleValue


def hit(source: str, what: str = "x") -> Hit:
    return Hit(Rule("deny", PermissionRuleValue("Bash"), RuleSource(source)), what)


def test_the_hit_of_the_highest_source_counts_and_the_first_of_equals() -> None:
    user, local, managed = hit("user"), hit("local"), hit("managed")
    assert weightier(user, None, managed, local) is managed
    first, second = hit("user", "first"), hit("user", "second")
    assert weightier(first, second) is first
    assert weightier(None) is weightier() is None


def test_every_mode_has_a_row() -> None:
    assert list(MODES) == list(PERMISSION_MODES)
    assert [mode for mode, row in MODES.items() if row.approves_all] == ["bypassPermissions"]
    assert [mode for mode, row in MODES.items() if not row.rules_allow] == ["plan"]
    assert [mode for mode, row in MODES.items() if not row.asks] == ["dontAsk"]
