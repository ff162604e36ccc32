from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.chips import Picture, must_fold
from agent_tui.tui.editor import Editor, KillRing
from agent_tui.tui.keys import EDITING
from agent_tui.tui.typed_rows import Wrapped


def made(text: str, cursor: int | None = None) -> Editor:
    editor = Editor()
    editor.insert(text, typed=False)
    if cursor is not None:
        editor.move_to(cursor)
    return editor


def rows(editor: Editor, width: int) -> list[str]:
    return [editor.text[row.start : row.end] for row in Wrapped().rows(editor, width)]


def test_typing_inserts_at_the_cursor() -> None:
    editor = made("helo", 3)
    editor.insert("l")
    assert (editor.text, editor.cursor) == ("hello", 4)


@pytest.mark.parametrize("whole", ["あ", "é", "e\u0301", "👨\u200d👩\u200d👧", "❤\ufe0f", "👍🏽"])
def test_backspace_and_motion_take_a_whole_character(whole: str) -> None:
    editor = made(f"a{whole}b", len(f"a{whole}"))
    editor.left()
    assert editor.cursor == 1
    editor.right()
    assert editor.cursor == 1 + len(whole)
    editor.backspace()
    assert editor.text == "ab"


def test_word_motion_stops_at_words_and_signs() -> None:
    editor = made("git push --force origin")
    stops: list[int] = []
    for _ in range(4):
        editor.word_left()
        stops.append(editor.cursor)
    assert stops == [17, 11, 9, 4]
    editor.word_right()
    assert editor.cursor == 8


def test_kills_in_a_row_join_and_are_yanked_together() -> None:
    editor = made("one two three")
    editor.kill_word_left()
    editor.kill_word_left()
    assert editor.text == "one "
    editor.yank()
    assert editor.text == "one two three"


def test_yank_older_turns_the_ring_and_replaces_the_yank() -> None:
    editor = made("first")
    editor.kill_to_line_start()
    editor.insert("second")
    editor.kill_to_line_start()
    editor.yank()
    assert editor.text == "second"
    editor.yank_older()
    assert editor.text == "first"


def test_yank_older_without_a_yank_changes_nothing() -> None:
    editor = made("abc")
    editor.kill_to_line_start()
    editor.insert("x")
    editor.yank_older()
    assert editor.text == "x"


def test_kill_to_line_end_takes_the_line_break_at_the_end() -> None:
    editor = made("ab\ncd", 1)
    editor.kill_to_line_end()
    assert editor.text == "a\ncd"
    editor.kill_to_line_end()
    assert editor.text == "acd"


def test_two_fields_share_a_kill_ring() -> None:
    ring = KillRing()
    one, two = Editor(ring), Editor(ring)
    one.insert("hello")
    one.kill_to_line_start()
    two.yank()
    assert two.text == "hello"


def test_undo_takes_a_run_of_typing_back_and_redo_brings_it_again() -> None:
    editor = Editor()
    for char in "abc":
        editor.insert(char)
    editor.kill_to_line_start()
    editor.undo()
    assert editor.text == "abc"
    editor.undo()
    assert editor.text == ""
    editor.redo()
    assert editor.text == "abc"


def test_a_big_paste_is_one_character_and_is_sent_whole() -> None:
    text = "\n".join(f"line {n}" for n in range(20_000))
    editor = made("see ")
    editor.paste(text)
    editor.insert("!")
    assert len(editor.text) == len("see ") + 2
    assert editor.expanded() == f"see {text}!"
    drawn = "".join(s[3] for s in Wrapped().rows(editor, 80)[0].spots)
    assert drawn == "see [pasted 20,000 lines]!"


def test_erasing_a_folded_paste_takes_it_whole_and_undo_brings_it_back() -> None:
    text = "x" * 20_000
    editor = made("")
    editor.paste(text)
    editor.backspace()
    assert editor.expanded() == ""
    editor.undo()
    assert editor.expanded() == text


def test_killing_a_folded_paste_keeps_its_text() -> None:
    text = "y" * 20_000
    editor = made("")
    editor.paste(text)
    editor.kill_to_line_start()
    editor.yank()
    assert editor.expanded() == text


def test_a_paste_below_both_limits_stays_as_it_is() -> None:
    text = "a\tb\nc" * 10
    assert not must_fold(text)
    editor = made("")
    editor.paste(text)
    assert editor.text == text


def test_a_pasted_character_can_not_pass_for_a_folded_paste() -> None:
    editor = made("")
    editor.paste("z" * 20_000)
    chip = editor.text
    editor.insert(f"a{chip}b", typed=False)
    assert editor.text == f"{chip}ab"


def test_a_single_line_takes_no_line_breaks() -> None:
    editor = Editor(single_line=True)
    editor.paste("a\nb")
    assert editor.text == "a b"


def test_saved_and_restored_with_folded_pastes() -> None:
    editor = made("")
    editor.paste("q" * 20_000)
    saved = editor.saved()
    editor.clear()
    editor.restore(saved)
    assert editor.expanded() == "q" * 20_000


@given(
    st.lists(st.sampled_from([*EDITING, "a", "b ", "\n", "あ", "👨\u200d👩\u200d👧"]), max_size=60)
)
def test_any_keys_leave_a_cursor_in_the_text_and_undo_leads_back(keys: list[str]) -> None:
    editor = Editor()
    for key in keys:
        if key in EDITING:
            EDITING[key](editor)
        else:
            editor.insert(key)
        assert 0 <= editor.cursor <= len(editor.text)
    for _ in range(500):
        editor.undo()
    assert editor.text == ""


def test_a_folded_paste_is_unfolded_in_its_place() -> None:
    editor = made("see ")
    editor.paste("line\n" * 300)
    editor.insert("!")
    assert editor.folded_at_cursor() is None
    editor.left()
    assert editor.folded_at_cursor() == 4
    editor.unfold()
    assert editor.text == "see " + "line\n" * 300 + "!"
    editor.undo()
    assert len(editor.text) == 6


def test_pictures_are_numbered_and_go_with_their_chips() -> None:
    editor = made("what is ")
    first, second = Picture(b"1", "image/png", 4, 3), Picture(b"2", "image/png")
    editor.add_picture(first)
    editor.add_picture(second)
    assert editor.expanded() == "what is [Image 1] [Image 2] "
    assert list(editor.pictures().items()) == [(1, first), (2, second)]
    editor.backspace()
    editor.backspace()
    assert editor.pictures() == {1: first}
    editor.add_picture(second)
    assert editor.expanded() == "what is [Image 1] [Image 2] "


def test_a_text_that_came_back_gets_its_pictures_again() -> None:
    editor = made("")
    editor.replace("look at [Image 1] and [Image 2]")
    pictures = {1: Picture(b"1", "image/png"), 2: Picture(b"2", "image/png")}
    editor.put_back_pictures(pictures)
    assert editor.expanded() == "look at [Image 1] and [Image 2]"
    assert editor.pictures() == pictures
    assert editor.cursor == len(editor.text)


def test_a_group_is_taken_back_at_once() -> None:
    editor = made("a")
    editor.begin_group()
    editor.insert("b")
    editor.backspace()
    editor.insert("c d", typed=False)
    editor.end_group()
    editor.undo()
    assert editor.text == "a"


def test_the_word_before_is_cut_up_to_a_sign_or_up_to_a_blank() -> None:
    editor = made("git checkout feature/login")
    editor.kill_word_back()
    assert editor.text == "git checkout feature/"
    editor.kill_word_left()
    assert editor.text == "git checkout "
