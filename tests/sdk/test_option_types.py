from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from agent_tui.sdk import AgentDefinition, ClaudeAgentOptions, HookMatcher, query
from agent_tui.sdk.option_types import check_types
from tests.sdk.place import Place, heard


def options(**wanted: Any) -> ClaudeAgentOptions:
    return ClaudeAgentOptions(**wanted)


WRONG: list[dict[str, Any]] = [
    {"model": 5},
    {"resume": ["x"]},
    {"settings": {"model": "opus"}},
    {"max_turns": "3"},
    {"max_turns": True},
    {"max_turns": 2.0},
    {"max_budget_usd": "1"},
    {"allowed_tools": "Bash"},
    {"allowed_tools": None},
    {"disallowed_tools": [None]},
    {"tools": "Read"},
    {"betas": b"b"},
    {"add_dirs": [5]},
    {"add_dirs": "/tmp"},
    {"cwd": 5},
    {"env": None},
    {"env": {"A": 1}},
    {"extra_args": ["replay-user-messages"]},
    {"thinking": "adaptive"},
    {"task_budget": {"total": "many"}},
    {"agents": {"a": {"description": "d", "prompt": "p"}}},
    {"hooks": {"Stop": [{"hooks": []}]}},
    {"hooks": {"Stop": HookMatcher()}},
    {"setting_sources": "user"},
]


@pytest.mark.parametrize("wanted", WRONG)
def test_a_value_of_a_wrong_type_names_its_option(wanted: dict[str, Any]) -> None:
    [name] = wanted
    with pytest.raises(TypeError, match=f"^{name} must be "):
        check_types(options(**wanted))


def test_the_documented_types_are_taken() -> None:
    check_types(options())
    check_types(
        options(
            tools=("Read",),
            allowed_tools=("Read",),
            disallowed_tools={"Bash"},
            max_budget_usd=1,
            max_turns=0,
            cwd=Path(),
            add_dirs=[Path(), "x"],
            extra_args={"replay-user-messages": None},
            env={"A": "1"},
            thinking={"type": "disabled"},
            task_budget={"total": 9},
            agents={"a": AgentDefinition("d", "p")},
            hooks={"Stop": [HookMatcher()]},
            setting_sources=[],
        )
    )
    check_types(options(tools={"type": "preset", "preset": "claude_code"}))


def test_what_is_none_by_default_may_be_none() -> None:
    fields = dataclasses.fields(ClaudeAgentOptions)
    check_types(options(**{field.name: None for field in fields if field.default is None}))


@pytest.mark.anyio
async def test_it_is_refused_before_anything_is_started(place: Place) -> None:
    with pytest.raises(TypeError, match="max_turns must be a whole number, not '3'"):
        await heard(query(prompt="go", options=place.options(max_turns="3")))
    assert not place.api.requests
