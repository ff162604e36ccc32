"""The environment of children."""

from __future__ import annotations

from pathlib import Path

from agent_tui.machine.environment import OURS, UNATTENDED, child_environment
from agent_tui.settings.paths import Environment


def test_secrets_are_left_out_and_nothing_waits_for_a_key() -> None:
    env = Environment({**dict.fromkeys(OURS, "secret"), "PAGER": "less", "A": "b"}, Path("/"))
    found = child_environment(env, {"C": "d", "TERM": "xterm"})
    assert found == {**UNATTENDED, "A": "b", "C": "d", "TERM": "xterm"}
    assert found["PAGER"] == found["GIT_PAGER"] == "cat"
