from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from agent_tui.tui.lines import Span, spans_width
from agent_tui.tui.wrapping import Row, wrap_code, wrap_prose

PLAIN, BOLD = Style(), Style(bold=True)


def texts(rows: list[Row]) -> list[str]:
    return ["".join(text for text, _ in row.spans) for row in rows]


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 20, ["one two three"]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 8, ["one two", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("ab abcdefghij", 4, ["ab", "abcd", "efgh", "ij"]),
        ("a\nb", 10, ["a", "b"]),
        ("  indented text", 10, ["  indented", "text"]),
        ("日本語のテキスト", 6, ["日本語", "のテキ", "スト"]),
        ("", 5, [""]),
    ],
)
def test_prose_breaks_at_blanks(text: str, width: int, rows: list[str]) -> None:
    assert texts(wrap_prose([(text, PLAIN)], width)) == rows


def test_a_word_of_several_styles_stays_whole() -> None:
    rows = wrap_prose([("call ref", PLAIN), ("resh()", BOLD), (" now", PLAIN)], 11)
    assert texts(rows) == ["call", "refresh()", "now"]
    assert rows[1].spans == [("ref", PLAIN), ("resh()", BOLD)]


SPANS = st.lists(
    st.tuples(st.text("ab \t\n日é-", max_size=9), st.sampled_from([PLAIN, BOLD])), max_size=6
)


@given(SPANS, st.integers(2, 12))
def test_glued_together_the_rows_are_the_text_and_none_is_too_wide(
    spans: list[Span], width: int
) -> None:
    rows = wrap_prose(spans, width)
    parts = zip(texts(rows), ("\n" if row.glue is None else row.glue for row in rows), strict=True)
    joined = "".join(text + glue for text, glue in parts)[:-1]
    # Blanks at a line's end may go: they can't be seen.
    want = "\n".join(line.rstrip(" \t") for line in "".join(t for t, _ in spans).split("\n"))
    assert "\n".join(line.rstrip(" \t") for line in joined.split("\n")) == want
    assert all(spans_width(row.spans) <= width for row in rows)


@given(st.text("ab\t 日", max_size=30), st.integers(2, 12))
def test_code_is_broken_anywhere_and_copied_as_it_was(text: str, width: int) -> None:
    rows = wrap_code([(text[:7], PLAIN), (text[7:], BOLD)], width)
    assert "".join(row.source for row in rows) == text
    assert all(row.glue == "" for row in rows[:-1]) and rows[-1].glue is None
    assert all(spans_width(row.spans) <= width for row in rows)
    assert not any("\t" in t for row in rows for t, _ in row.spans)


def test_tabs_go_to_the_next_stop() -> None:
    (row,) = wrap_code([("\ta\tb", PLAIN)], 40)
    assert "".join(t for t, _ in row.spans) == "    a   b"
    assert row.source == "\ta\tb"
