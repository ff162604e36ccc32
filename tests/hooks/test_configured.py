from __future__ import annotations

from typing import Any

import pytest

from agent_tui.hooks.configured import CallbackHook, CommandHook, read_hooks
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.layers import SourcedHooks

RUN: JsonObject = {"type": "command", "command": "./check"}


def read(data: Any, source: str = "user") -> Any:
    return read_hooks([SourcedHooks(data, source, "/f.json")])


def test_a_hook_is_read_with_all_it_says() -> None:
    handler = {
        **RUN,
        "args": ["a b", "c"],
        "if": "Bash(git *)",
        "timeout": 2.5,
        "async": True,
        "statusMessage": "Checking",
    }
    found = read({"PreToolUse": [{"matcher": "Bash", "hooks": [handler, RUN]}]})
    assert found.problems == ()
    first, second = found.hooks
    assert first.hook == CommandHook(
        "./check", ("a b", "c"), "User", "/f.json", 2.5, "Bash(git *)", True
    )
    assert second.hook == CommandHook("./check", source="User", path="/f.json")
    assert first.event == "PreToolUse" and first.matcher.fits("Bash")
    assert not first.matcher.fits("Edit")


@pytest.mark.parametrize(("source", "label"), [("managed", "Managed"), ("flag", "Settings")])
def test_it_knows_whose_it_is(source: str, label: str) -> None:
    [one] = read({"Stop": [{"hooks": [RUN]}]}, source).hooks
    assert one.hook.source == label


UNUSABLE: list[tuple[Any, str]] = [
    ([], "must be an object by event"),
    ({"Nonsense": []}, "hooks.Nonsense is no event"),
    ({3: []}, "hooks.3 is no event"),
    ({"FileChanged": [{"hooks": [RUN]}]}, "no such moment"),
    ({"Stop": {}}, "hooks.Stop must be a list"),
    ({"Stop": ["x"]}, "hooks.Stop[0] must hold a list of hooks"),
    ({"Stop": [{"hooks": {}}]}, "hooks.Stop[0] must hold a list of hooks"),
    ({"Stop": [{"matcher": 1, "hooks": []}]}, "its matcher must be text"),
    ({"PreToolUse": [{"matcher": "a(", "hooks": [RUN]}]}, "no regular expression"),
    ({"Stop": [{"hooks": ["x"]}]}, "hooks.Stop[0].hooks[0]: its type must be command"),
    ({"Stop": [{"hooks": [{"type": "command"}]}]}, "its command must be text"),
    ({"Stop": [{"hooks": [{**RUN, "args": "x"}]}]}, "its args must be a list"),
    ({"Stop": [{"hooks": [{**RUN, "timeout": 0}]}]}, "its timeout must be a number"),
    ({"Stop": [{"hooks": [{**RUN, "timeout": True}]}]}, "its timeout must be a number"),
    ({"Stop": [{"hooks": [{**RUN, "shell": "powershell"}]}]}, "'powershell' is not supported"),
    ({"Stop": [{"hooks": [{**RUN, "if": "Bash"}]}]}, "so it never runs"),
    ({"PreToolUse": [{"hooks": [{**RUN, "if": 1}]}]}, "must be a permission rule"),
    ({"PostToolUse": [{"hooks": [{"type": "http", "url": "x"}]}]}, "It never runs."),
    ({"Stop": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}, "It never runs."),
]


@pytest.mark.parametrize(("data", "says"), UNUSABLE)
def test_what_can_t_be_used_is_left_out_and_told_with_its_file(data: Any, says: str) -> None:
    found = read(data)
    assert found.hooks == ()
    [problem] = found.problems
    assert problem.startswith("/f.json: ") and says in problem


def test_one_bad_entry_takes_no_other_with_it() -> None:
    found = read({"Stop": [{"hooks": [{"type": "x"}, RUN]}, 7], "Nix": [], "PreCompact": []})
    assert [one.hook.command for one in found.hooks] == ["./check"]
    assert len(found.problems) == 3


def test_waking_the_model_is_not_promised() -> None:
    found = read({"Stop": [{"hooks": [{**RUN, "asyncRewake": True}]}]})
    assert found.hooks[0].hook.background
    assert "asyncRewake is not supported" in found.problems[0]


def test_what_makes_two_hooks_one() -> None:
    assert CommandHook("a", path="x").same == CommandHook("a", path="y", seconds=3).same
    assert CommandHook("a").same != CommandHook("a", ()).same

    async def callback(given: JsonObject, call_id: str | None) -> JsonObject:
        return {}

    one = CallbackHook(callback)
    assert one.same == one


def test_a_long_command_is_named_on_one_line() -> None:
    shown = CommandHook("x\n" * 100).shown
    assert len(shown) == 80 and "\n" not in shown
    assert CommandHook("run", ("a", "b")).shown == "run a b"
