"""The environment of children."""

from __future__ import annotations

from pathlib import Path

from agent_tui.machine.environment import BARE, UNATTENDED, child_environment
from agent_tui.settings.credentials import VARIABLES, save_key
from agent_tui.settings.paths import Environment


def test_a17_our_credentials_are_left_out_and_nothing_waits_for_a_key() -> None:
    ours = dict.fromkeys(VARIABLES, "plum-secret")
    env = Environment({**ours, "PAGER": "less", "A": "b"}, Path("/"))
    found = child_environment(env, {"C": "d", "TERM": "xterm"})
    assert found == {**UNATTENDED, "A": "b", "C": "d", "TERM": "xterm"}
    assert found["PAGER"] == found["GIT_PAGER"] == "cat"


def test_a17_they_are_left_out_under_any_name(tmp_path: Path) -> None:
    given = {
        "ANTHROPIC_API_KEY": "plum-secret-1",
        "ANTHROPIC_CUSTOM_HEADERS": "X-Key: plum-header-2",
        "MY_KEY": "plum-secret-1",
        "LINE": "curl -H 'x-api-key: plum-secret-1'",
        "HEADER": "plum-header-2",
        "STORED": "plum-stored-3",
        "OTHER_KEY": "plum-other-4",
    }
    env = Environment(given, tmp_path)
    save_key(env, "plum-stored-3")
    assert {name for name in child_environment(env) if name not in UNATTENDED} == {"OTHER_KEY"}


def test_a17_what_is_configured_is_handed_down() -> None:
    env = Environment({"ANTHROPIC_API_KEY": "plum-secret-1"}, Path("/"))
    found = child_environment(env, {"ANTHROPIC_API_KEY": "plum-secret-1"})
    assert found["ANTHROPIC_API_KEY"] == "plum-secret-1"


def test_a_program_of_the_system_gets_next_to_nothing() -> None:
    assert BARE.keys() == {"PATH", "LC_ALL"}
