"""The bounds of a household."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.loop.household import MAX_AT_ONCE, MAX_DEPTH, Bounds, Busy, kind_names
from agent_tui.settings.paths import Environment
from tests.loop.home import HELPER


@pytest.mark.parametrize(
    ("variables", "bounds"),
    [
        ({}, Bounds(MAX_AT_ONCE, MAX_DEPTH, True)),
        ({"CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS": "4"}, Bounds(4, MAX_DEPTH)),
        ({"CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH": "1"}, Bounds(MAX_AT_ONCE, 1)),
        ({"CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS": "many"}, Bounds()),
        ({"CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS": "0"}, Bounds()),
        ({"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"}, Bounds(background=False)),
        ({"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "0"}, Bounds()),
    ],
)
def test_variables_set_them(variables: dict[str, str], bounds: Bounds) -> None:
    assert Bounds.of(Environment(variables, Path("/home"))) == bounds


def test_those_at_work_are_counted_whatever_becomes_of_them() -> None:
    busy = Busy()
    with pytest.raises(ValueError, match="x"), busy.one(), busy.one():
        assert busy.count == 2
        raise ValueError("x")
    assert busy.count == 0


def test_kinds_are_named_in_a_sentence() -> None:
    assert kind_names((HELPER, HELPER)) == "helper, helper"
