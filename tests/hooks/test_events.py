"""The table is about what happens: each event in it is fired somewhere, and each has its row."""

from __future__ import annotations

from typing import get_args

import pytest

from agent_tui.hooks.events import ALWAYS_SHOWN, EVENTS, NOT_FIRED
from agent_tui.protocol.hooks import HookEvent
from tests.house.tree import sources

FIRED = sorted(set(EVENTS) - NOT_FIRED)


def test_every_event_has_its_row() -> None:
    assert set(EVENTS) == set(get_args(HookEvent))


@pytest.mark.parametrize("event", FIRED)
def test_every_event_is_fired_somewhere(event: str) -> None:
    firing = [
        source.where
        for source in (*sources("agent_tui/loop"), *sources("agent_tui/engine"))
        if f'"{event}"' in source.text and (".fire(" in source.text or ".launch(" in source.text)
    ]
    assert firing


def test_what_guards_can_block_and_what_is_always_shown_exists() -> None:
    assert {name for name, row in EVENTS.items() if row.guards} == {
        "PreToolUse",
        "UserPromptSubmit",
        "UserPromptExpansion",
    }
    assert all(row.can_guard for row in EVENTS.values() if row.guards)
    assert set(EVENTS) >= ALWAYS_SHOWN


@pytest.mark.parametrize("event", ["Stop", "SubagentStop", "TaskCompleted"])
def test_a_failing_hook_can_never_keep_the_agent_from_stopping(event: HookEvent) -> None:
    assert not EVENTS[event].can_guard


def test_the_documented_time_limits() -> None:
    seconds = {name: row.seconds for name, row in EVENTS.items()}
    assert (seconds["PreToolUse"], seconds["UserPromptSubmit"], seconds["SessionEnd"]) == (
        600,
        30,
        1.5,
    )
