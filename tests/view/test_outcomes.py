from __future__ import annotations

from agent_tui.view.outcomes import count, result_text, seconds_between


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
