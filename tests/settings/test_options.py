"""One run's choices survive the trip to the engine."""

from __future__ import annotations

import json

import pytest

from agent_tui.settings.options import (
    LimitOptions,
    ModelOptions,
    Options,
    PermissionOptions,
    PromptOptions,
    SessionOptions,
)

FULL = Options(
    cwd="/work/ü",
    model=ModelOptions("opus", "high", "http://127.0.0.1:1", 9000),
    limits=LimitOptions(3, 0.25),
    permissions=PermissionOptions(
        "acceptEdits", ("Bash(git log *)",), ("Read(./.env)",), ("/lib",), True
    ),
    session=SessionOptions(resume="11111111-1111-4111-8111-111111111111", from_print=True),
    prompts=PromptOptions("Mine.", "More."),
    setting_sources=("user",),
    partial_messages=True,
    interactive=True,
    demo=True,
    extra={"a": [1, {"b": None}]},
)


@pytest.mark.parametrize("options", [Options(cwd="/"), FULL])
def test_they_come_out_of_json_as_they_went_in(options: Options) -> None:
    assert Options.from_json(json.loads(json.dumps(options.to_json()))) == options


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"cwd": 7},
        {"cwd": "/", "permissions": {"mode": "yolo"}},
        {"cwd": "/", "limits": {"max_turns": "many"}},
    ],
)
def test_what_does_not_fit_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Options.from_json(data)


def test_what_is_left_out_is_the_default() -> None:
    assert Options.from_json({"cwd": "/x"}) == Options(cwd="/x")
    assert Options(cwd="/x").setting_sources == ("user", "project", "local")
