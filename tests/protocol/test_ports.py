"""The values that pass through ports."""

from __future__ import annotations

from agent_tui.protocol.ports import Captured, Seen


def test_a_file_is_seen_whole_when_every_line_was() -> None:
    assert Seen("d", 0).whole
    assert Seen("d", 3, ((1, 3),)).whole
    assert not Seen("d", 3, ((1, 2),)).whole
    assert not Seen("d", 3).whole


def test_bytes_do_not_count_when_memories_are_compared() -> None:
    assert Seen("d", 1, data=b"x") == Seen("d", 1)


def test_output_is_complete_without_a_tail() -> None:
    assert Captured("a").complete
    assert not Captured("a", "b").complete
