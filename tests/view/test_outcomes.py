from __future__ import annotations

import pytest

from agent_tui.loop.permission import DENIED_BY_HOOK, DENIED_BY_PERSON
from agent_tui.loop.stopped import STOPPED_BEFORE, STOPPED_DURING
from agent_tui.loop.tool_call import BROKEN, STOPPED_BY_HOOK
from agent_tui.protocol.content import ToolResultBlock
from agent_tui.protocol.display import AgentDisplay
from agent_tui.protocol.messages import UserMessage
from agent_tui.view.blocks import ToolBlock
from agent_tui.view.outcomes import (
    count,
    left_behind,
    result_state,
    result_text,
    seconds_between,
    was_denied,
    words_against,
)


def test_the_text_of_a_result() -> None:
    assert result_text(None) == ""
    assert result_text("x") == "x"
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert result_text(parts) == "a\nb"


def test_seconds_between_two_times() -> None:
    assert seconds_between("2026-11-30T10:00:00Z", "2026-11-30T10:00:06.500Z") == 6.5
    assert seconds_between("2026-11-30T10:00:09Z", "2026-11-30T10:00:06Z") == 0
    assert seconds_between("2026-11-30T10:00:09", "2026-11-30T10:00:06Z") is None
    assert seconds_between("soon", "2026-11-30T10:00:06Z") is None
    assert seconds_between(None, "2026-11-30T10:00:06Z") is None


def test_only_whole_numbers_count() -> None:
    assert count(3) == 3 and count("3") is None and count(None) is None


def test_what_the_loop_answers_refused_calls_with_is_known_as_that() -> None:
    for text in (DENIED_BY_PERSON, STOPPED_BEFORE, f"{STOPPED_DURING}\nOutput", STOPPED_BY_HOOK):
        result = ToolResultBlock("t", text, True)
        assert result_state(UserMessage((result,)), result, refused=False) == "stopped"
    broken = ToolResultBlock("t", BROKEN, True)
    assert result_state(UserMessage((broken,)), broken, refused=False) == "failed"
    assert was_denied(f"{DENIED_BY_HOOK}: no") and not was_denied(DENIED_BY_PERSON)


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (
            ToolBlock("t", "X", state="stopped", why="refused", result="in src, please"),
            "in src, please",
        ),
        (ToolBlock("t", "X", state="stopped", why="refused", result=DENIED_BY_PERSON), ""),
        (ToolBlock("t", "X", state="stopped", why="Bash(rm:*)", result="denied by a rule"), ""),
        (ToolBlock("t", "X", state="failed", result="no such file"), ""),
    ],
)
def test_what_was_said_against_a_call_is_told_apart_from_a_plain_no(
    block: ToolBlock, said: str
) -> None:
    assert words_against(block) == said


def test_a_call_says_by_its_result_that_it_went_on_in_the_background() -> None:
    bash = UserMessage((), tool_use_result={"backgroundTaskId": "b1"})
    assert left_behind(bash, None) == "running"
    assert left_behind(UserMessage(()), AgentDisplay("x", status="background")) == "running"
    assert left_behind(UserMessage(()), AgentDisplay("x", status="completed")) == ""
    assert left_behind(UserMessage((), tool_use_result="text"), None) == ""
