"""Beginnings and ends."""

from __future__ import annotations

from agent_tui.protocol.ports import Captured
from agent_tui.tools.excerpts import MAX_LINE, cut_lines, excerpt


def test_a_short_output_is_whole() -> None:
    assert excerpt(Captured("abc", total_bytes=3), 3) == "abc"


def test_a_long_one_has_both_ends_and_says_how_much_is_between() -> None:
    text = excerpt(Captured("a" * 600 + "b" * 400, total_bytes=1_000), 100)
    assert text == f"{'a' * 50}\n[... about 900 bytes left out ...]\n{'b' * 50}"
    text = excerpt(Captured("a" * 600, "b" * 400, total_bytes=9_000), 100)
    assert "about 8,900 bytes" in text
    assert text.endswith("b" * 50)


def test_lines_are_cut_from_both_ends_without_doubling() -> None:
    assert cut_lines(Captured("1\n2\n3\n"), 2, 2) == (("1", "2", "3"), ())
    assert cut_lines(Captured("1\n2\n3\n4\n5\n"), 2, 2) == (("1", "2"), ("4", "5"))
    assert cut_lines(Captured("1\n2\n3\n"), 0, 2) == ((), ("2", "3"))
    assert cut_lines(Captured("1\n"), 0, 2) == ((), ("1",))
    assert cut_lines(Captured("1\n2\n3", "8\n9\n"), 1, 1) == (("1",), ("9",))


def test_a_line_of_a_display_is_bounded() -> None:
    (line,), _ = cut_lines(Captured("x" * 5_000), 1, 1)
    assert line.startswith("x" * MAX_LINE + " [... 3000 more]")
