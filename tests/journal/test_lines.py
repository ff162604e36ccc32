"""What a window is made of."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.journal.lines import Line, OpenCall, block_size, called, lines_from, said_text
from tests.journal.story import call, text, thinking


def waiting(call_id: str, raw_id: str, line: str) -> OpenCall:
    return OpenCall(call_id, raw_id, "Bash", {}, line, "m1")


def test_a_result_finds_its_call_by_line_then_id_then_what_the_model_wrote() -> None:
    calls = (waiting("x", "x", "l1"), waiting("x_1_2", "x", "l2"), waiting("call_1_3", "", "l3"))

    def found(named: str, source: str | None = None) -> str | None:
        one = called({"tool_use_id": named}, source, calls)
        return one.assistant_uuid if one else None

    assert found("x", "l2") == "l2"
    assert found("x_1_2") == "l2"
    assert found("x") == "l1"
    assert found("", None) == "l3"
    assert found("call_1_3", "gone") == "l3"
    assert found("other", "gone") is None


def test_calls_of_one_line_are_told_apart_by_id() -> None:
    calls = (waiting("a", "a", "l1"), waiting("b", "b", "l1"))
    one = called({"tool_use_id": "b"}, "l1", calls)
    assert one is not None
    assert one.id == "b"


@pytest.mark.parametrize(
    ("block", "size"),
    [
        (text("é"), 2),
        (thinking("four"), 4),
        (call("a", "Bash", x=1), len('{"x": 1}') + 4),
        ({"type": "tool_result", "tool_use_id": "a", "content": "12345"}, 5),
        (
            {"type": "tool_result", "tool_use_id": "a", "content": [text("12"), {"type": "image"}]},
            6402,
        ),
        ({"type": "document"}, 6400),
        ({"name": "Bash"}, len('{"name": "Bash"}')),
    ],
)
def test_the_size_of_a_block_is_what_the_model_reads(block: dict[str, Any], size: int) -> None:
    assert block_size(block) == size


def test_responses_are_kept_whole() -> None:
    lines = [
        Line("user", "u1", (text("a"),)),
        Line("assistant", "u2", (text("b"),), 1, "m1"),
        Line("assistant", "u3", (text("c"),), 1, "m1"),
        Line("user", "u4", (text("d"),)),
    ]
    assert [line.uuid for line in lines_from(lines, "u3")] == ["u2", "u3", "u4"]
    assert [line.uuid for line in lines_from(lines, "u4")] == ["u4"]
    assert lines_from(lines, "gone") == []
    assert lines_from(lines, None) == []


def test_the_text_of_blocks_is_joined() -> None:
    assert said_text([text("a "), call("x"), text("b\n"), {"type": "text"}]) == "a \nb"
