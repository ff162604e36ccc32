from __future__ import annotations

import pytest

from agent_tui.headless.ending import Work
from agent_tui.headless.states import States
from tests.model.asking import environment


@pytest.mark.parametrize(
    ("variables", "states"),
    [
        ({}, States(wanted=False, hidden=True)),
        ({"CLAUDE_CODE_SDK_READS_SESSION_STATE": "1"}, States(wanted=True, hidden=True)),
        ({"CLAUDE_CODE_SDK_READS_SESSION_STATE": "false"}, States(wanted=False, hidden=True)),
        ({"CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS": "true"}, States(wanted=True)),
    ],
)
def test_who_wants_to_know(variables: dict[str, str], states: States) -> None:
    assert States.of(environment(**variables)) == states


def test_changes_are_told_once() -> None:
    states, work = States(wanted=True), Work(lambda: True)
    assert states.now("s", work, idle=True) is None
    told = states.now("s", work, idle=False)
    assert told is not None
    assert (told["state"], told["session_id"], "sdk_host_only" in told) == ("running", "s", False)
    assert states.now("s", work, idle=False) is None
    work.asking = True
    asked = states.now("s", work, idle=False)
    assert asked is not None and asked["state"] == "requires_action"
    assert (states.now("s", work, idle=True) or {})["state"] == "idle"


def test_nobody_is_told_who_does_not_want_to_know() -> None:
    assert States().now("s", Work(lambda: True), idle=False) is None
    hidden = States(wanted=True, hidden=True).now("s", Work(lambda: True), idle=False)
    assert hidden is not None and hidden["sdk_host_only"]
