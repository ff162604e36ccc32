from __future__ import annotations

import pytest

from agent_tui.protocol.content import ToolResultBlock
from agent_tui.protocol.messages import UserMessage
from agent_tui.view.outcomes import count, result_state, result_text, seconds_between


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
    loop = pytest.importorskip("agent_tui.loop.tool_call")
    for text in (loop.DENIED_BY_PERSON, loop.STOPPED_BEFORE, f"{loop.STOPPED_DURING}\nOutput"):
        result = ToolResultBlock("t", text, True)
        assert result_state(UserMessage((result,)), result, refused=False) == "stopped"
    broken = ToolResultBlock("t", loop.BROKEN, True)
    assert result_state(UserMessage((broken,)), broken, refused=False) == "failed"
