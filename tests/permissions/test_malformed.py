from __future__ import annotations

import pytest

from agent_tui.permissions.malformed import insist
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.layers import SourcedRule


def test_rules_that_can_be_read_are_no_reason_to_stop() -> None:
    insist([SourcedRule("deny", "Bash(rm *)", "user"), SourcedRule("ask", "mcp__x", "project")])
    insist([SourcedRule("allow", "Bash(", "flag")])


def test_a_malformed_restriction_of_the_command_line_names_the_flag() -> None:
    with pytest.raises(UsageError, match=r"--disallowedTools: 'Bash\('"):
        insist([SourcedRule("deny", "Bash(", "flag", anchor="/x")])


@pytest.mark.parametrize("behavior", ["deny", "ask"])
def test_a15_a_malformed_restriction_of_a_file_names_file_and_line(behavior: str) -> None:
    kind = "deny" if behavior == "deny" else "ask"
    with pytest.raises(SettingsError) as caught:
        insist([SourcedRule(kind, "Bash rm", "user", "/home/me/settings.json", 7)])
    assert str(caught.value).startswith(f"/home/me/settings.json:7: permissions.{behavior}: ")


def test_settings_of_a_flag_are_named_as_such() -> None:
    with pytest.raises(SettingsError, match=r"^--settings: permissions\.deny"):
        insist([SourcedRule("deny", "x" * 5000, "flag", "--settings")])
