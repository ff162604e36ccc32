from __future__ import annotations

import pytest

from agent_tui.permissions.malformed import insist
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.rule_entries import SourcedRule


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


@pytest.mark.parametrize(
    "text",
    [
        "WebFetch(evil.com)",
        "Read(!x)",
        "Bash(a\x00b)",
        "bash(rm *)",
        "webfetch",
        "Bash(command:rm *)",
        "mcp__a__t(x)",
        "Cd(!x)",
    ],
)
def test_a_restriction_that_would_restrict_nothing_stops_the_start(text: str) -> None:
    with pytest.raises(SettingsError, match=r"^/s\.json:3: permissions\.deny: .*restrict nothing"):
        insist([SourcedRule("deny", text, "user", "/s.json", 3)])
    insist([SourcedRule("allow", text, "user", "/s.json", 3)])


def test_what_is_known_to_restrict_nothing_is_left_out_elsewhere() -> None:
    for text in ("Write(src/**)", "Glob(*)", "Grep(x)", "NotebookEdit(x)", "Unknown(tool)"):
        insist([SourcedRule("deny", text, "user", "/s.json", 3)])


def test_settings_of_a_flag_are_named_as_such() -> None:
    with pytest.raises(SettingsError, match=r"^--settings: permissions\.deny"):
        insist([SourcedRule("deny", "x" * 5000, "flag", "--settings")])
