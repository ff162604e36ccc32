from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.chips import Picture
from agent_tui.tui.editor import Editor
from agent_tui.tui.typed_rows import Row, Wrapped, clusters


def made(text: str, cursor: int | None = None) -> Editor:
    editor = Editor()
    editor.insert(text, typed=False)
    if cursor is not None:
        editor.move_to(cursor)
    return editor


def rows(editor: Editor, width: int) -> list[str]:
    return [editor.text[row.start : row.end] for row in Wrapped().rows(editor, width)]


def test_what_a_person_counts_as_a_character() -> None:
    assert [e - s for s, e, _ in clusters("aあe\u0301\t👍🏽")] == [1, 1, 2, 1, 2]
    assert [width for _s, _e, width in clusters("aあe\u0301")] == [1, 2, 1]


def test_a_chip_is_drawn_as_its_label() -> None:
    editor = made("x")
    editor.add_picture(Picture(b"", "image/png", 4, 3))
    (row,) = Wrapped().rows(editor, 40)
    assert "".join(draw for _s, _e, _w, draw in row.spots) == "x[Image 1 · 4x3] "
    assert row.column(len(editor.text)) == 17


def test_wrapping_breaks_at_blanks() -> None:
    assert rows(made("the quick brown fox"), 10) == ["the quick ", "brown fox"]


def test_wrapping_breaks_a_long_word_anywhere() -> None:
    assert rows(made("abcdefghij"), 4) == ["abcd", "efgh", "ij"]


def test_wrapping_counts_cells_of_wide_characters() -> None:
    assert rows(made("あいうえお"), 6) == ["あいう", "えお"]


def test_an_empty_text_has_one_row() -> None:
    assert Wrapped().rows(Editor(), 10) == [Row(0, 0, ())]


def test_a_tab_reaches_the_next_stop() -> None:
    editor = made("ab\tc")
    (row,) = Wrapped().rows(editor, 40)
    assert [row.column(at) for at in range(5)] == [0, 1, 2, 4, 5]


def test_column_and_index_agree_over_wide_characters() -> None:
    (row,) = Wrapped().rows(made("あいうABC"), 40)
    assert row.column(4) == 7
    assert [row.index(x) for x in (0, 1, 2, 6, 7)] == [0, 0, 1, 3, 4]
    assert row.index(99) == 6


@given(st.text(alphabet="ab \n\tあé👍", max_size=60), st.integers(4, 20))
def test_rows_hold_the_whole_text_and_stay_within_the_width(text: str, width: int) -> None:
    editor = made(text)
    wrapped = Wrapped().rows(editor, width)
    covered = {at for row in wrapped for s, e, _w, _d in row.spots for at in range(s, e)}
    assert covered == {at for at, char in enumerate(editor.text) if char != "\n"}
    for row in wrapped:
        ink = [s[3] for s in row.spots]
        while ink and ink[-1] == " ":
            ink.pop()
        assert sum(s[2] for s in row.spots[: len(ink)]) <= width
