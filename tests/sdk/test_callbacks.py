from __future__ import annotations

from typing import Any

import pytest

from agent_tui.sdk import HookMatcher, UnsupportedOptionWarning
from agent_tui.sdk.callbacks import groups_of

pytestmark = pytest.mark.anyio


def answering(given: Any, told: list[Any]) -> Any:
    async def hook(*args: Any) -> Any:
        told.append(args)
        return given

    return hook


async def test_a_callback_gets_the_documented_arguments_and_its_answer_is_spelled_as_sent() -> None:
    told: list[Any] = []
    answer = {"continue_": False, "stopReason": "enough", "async_": True}
    matcher = HookMatcher("Bash", [answering(answer, told)], timeout=5, on_failure="block")
    (group,) = groups_of({"PreToolUse": [matcher]})["PreToolUse"]
    assert (group.matcher, group.timeout_s, group.on_failure) == ("Bash", 5, "block")
    found = await group.callbacks[0]({"tool_name": "Bash"}, "t1")
    assert found == {"continue": False, "stopReason": "enough", "async": True}
    assert told == [({"tool_name": "Bash"}, "t1", {"signal": None})]


async def test_what_is_no_answer_is_left_to_be_judged_as_a_failure() -> None:
    (group,) = groups_of({"Stop": [HookMatcher(hooks=[answering(None, [])])]})["Stop"]
    assert await group.callbacks[0]({}, None) is None


def test_no_hooks_are_none() -> None:
    assert groups_of(None) == {}


def test_an_event_that_never_happens_here_is_told_by_name() -> None:
    hooks: Any = {"WorktreeCreate": [HookMatcher()], "Stop": []}
    with pytest.warns(UnsupportedOptionWarning, match="WorktreeCreate"):
        assert groups_of(hooks) == {"Stop": ()}
