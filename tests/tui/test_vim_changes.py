from __future__ import annotations

from agent_tui.tui.editor import Editor
from agent_tui.tui.vim_changes import Changes
from agent_tui.tui.vim_keys import Command
from agent_tui.tui.vim_motions import Reach


def made(text: str, at: int = 0) -> tuple[Editor, Changes]:
    editor = Editor()
    editor.insert(text, typed=False)
    editor.move_to(at)
    return editor, Changes(editor)


def test_what_is_deleted_can_be_put_and_is_in_the_ring() -> None:
    editor, changes = made("one two")
    assert not changes.operate("d", Reach(0, 4))
    assert (editor.text, editor.kills.current()) == ("two", "one ")
    changes.simple["P"](Command("P"))
    assert editor.text == "one two"


def test_whole_lines_go_with_their_break() -> None:
    editor, changes = made("a\nb\nc", 2)
    changes.operate("d", Reach(2, 3, lines=True))
    assert (editor.text, editor.cursor) == ("a\nc", 2)


def test_changing_asks_for_insert_mode_and_groups_until_it_ends() -> None:
    editor, changes = made("one two")
    assert changes.operate("c", Reach(0, 3))
    editor.insert("x")
    editor.end_group()
    editor.undo()
    assert editor.text == "one two"


def test_copying_leaves_the_text() -> None:
    editor, changes = made("one two", 4)
    assert not changes.operate("y", Reach(0, 3))
    assert (editor.text, editor.cursor, editor.kills.current()) == ("one two", 0, "one")


def test_putting_over_a_selection_keeps_what_was_there() -> None:
    editor, changes = made("one two")
    changes.operate("y", Reach(0, 3))
    changes.put_over(Reach(4, 7))
    assert (editor.text, editor.kills.current()) == ("one one", "two")


def test_sideways_goes_by_whole_characters_and_stays_in_the_line() -> None:
    editor, changes = made("あe\u0301\nx")
    assert changes.sideways(1) == 1
    assert changes.sideways(9) == 3
    editor.move_to(3)
    assert changes.sideways(-1) == 1
