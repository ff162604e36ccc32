"""Pages of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tools.page import BYTES_PER_TOKEN, cut_page
from agent_tui.tools.text import TextFile


@given(
    lines=st.lists(st.text("aé😀 ", max_size=30), min_size=1, max_size=60),
    most_lines=st.integers(1, 20),
    most_tokens=st.integers(10, 60),
)
def test_going_on_as_told_shows_every_line_once(
    lines: list[str], most_lines: int, most_tokens: int
) -> None:
    text = TextFile("\n".join(lines) + "\n")
    shown: list[str] = []
    first = 1
    while first <= len(lines):
        page = cut_page(text, first, None, most_lines, most_tokens)
        assert page.first == first
        assert page.last >= first
        assert len(page.text.encode()) <= most_tokens * BYTES_PER_TOKEN
        if not page.clipped:
            shown += page.text.split("\n")
        else:
            assert lines[first - 1].startswith(page.text)
            shown.append(lines[first - 1])
        first = page.last + 1
        if first <= len(lines):
            assert f"offset: {first}" in page.content
    assert shown == lines


def test_blank_lines_are_said_to_be_blank() -> None:
    assert "blank" in cut_page(TextFile("\n\n"), 1, None, 10, 100).content
