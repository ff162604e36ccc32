from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.chips import Picture
from agent_tui.tui.editor import Editor
from agent_tui.tui.vim import Took, Vim

ESC = "\x1b"


def at_work(given: str) -> tuple[Editor, Vim]:
    """Make an editor in normal mode; ``|`` stands where the cursor is."""
    editor = Editor()
    editor.insert(given.replace("|", ""), typed=False)
    editor.move_to(given.index("|"))
    vim = Vim(editor)
    vim.mode = "normal"
    return editor, vim


def press(editor: Editor, vim: Vim, keys: str) -> Took:
    """Press keys one after another, as a field does; gives what the last one left to do."""
    took: Took = "done"
    for char in keys:
        names = {ESC: "escape", "\r": "enter", "\x12": "ctrl+r", "\x7f": "backspace"}
        took = vim.take(names.get(char, char), "" if char in names else char)
        if took == "pass" and vim.mode == "insert":
            if char == "\x7f":
                editor.backspace()
            else:
                editor.insert(char)
    return took


def after(given: str, keys: str) -> str:
    editor, vim = at_work(given)
    press(editor, vim, keys)
    return f"{editor.text[: editor.cursor]}|{editor.text[editor.cursor :]}"


MOTIONS = """
a|bc d     l      ab|c d
a|bc d     h      |abc d
|a         l      |a
|あいう     2l     あい|う
ab|c       2h     |abc
|one two-three  w    one |two-three
|one two-three  2w   one two|-three
|one two-three  3w   one two-|three
|one two-three  2W   one two-thre|e
one two-th|ree  b    one two-|three
one two-th|ree  B    one |two-three
one two-th|ree  3b   one |two-three
|one two   e      on|e two
on|e two   e      one tw|o
one |two   ge     on|e two
one tw|o   0      |one two
one |two   $      one tw|o
one tw|o   ^      |one two
|a(b[c]d)e %      a(b[c]d|)e
a|(b[c]d)e %      a(b[c]d|)e
a(b[c]d|)e %      a|(b[c]d)e
|a.b.c.d   f.     a|.b.c.d
|a.b.c.d   2f.    a.b|.c.d
|a.b.c.d   t.     |a.b.c.d
|ab.cd.e   t.     a|b.cd.e
|ab.cd.e   t.;    ab.c|d.e
|ab.cd.e   f.;    ab.cd|.e
|ab.cd.e   f.;,   ab|.cd.e
ab.cd.|e   F.     ab.cd|.e
ab.cd.|e   2F.    ab|.cd.e
ab.cd.|e   T.;    ab.|cd.e
|abc       fz     |abc
|abc       3l     ab|c
|a         10l    |a
"""


@pytest.mark.parametrize("line", MOTIONS.strip().splitlines())
def test_motions(line: str) -> None:
    given, keys, expected = _row(line)
    assert after(given, keys) == expected


LINES = [
    ("o|ne\ntwo\nthree", "j", "one\nt|wo\nthree"),
    ("on|e\n\nthree", "jj", "one\n\nth|ree"),
    ("one\ntw|o", "k", "on|e\ntwo"),
    ("one\ntwo\nthr|ee", "gg", "|one\ntwo\nthree"),
    ("|one\n  two\nthree", "2G", "one\n  |two\nthree"),
    ("|one\ntwo", "G", "one\n|two"),
    ("|one\n\ntwo\n\nthree", "}", "one\n|\ntwo\n\nthree"),
    ("one\n\ntwo\n\nthr|ee", "{", "one\n\ntwo\n|\nthree"),
    ("|one\ntwo", "w", "one\n|two"),
    ("one\n|two", "b", "|one\ntwo"),
    ("|one\n\ntwo", "ww", "one\n\n|two"),
]


@pytest.mark.parametrize(("given", "keys", "expected"), LINES)
def test_motions_over_lines(given: str, keys: str, expected: str) -> None:
    assert after(given, keys) == expected


CHANGES = [
    ("|one two", "x", "|ne two"),
    ("|one two", "3x", "| two"),
    ("one tw|o", "x", "one t|w"),
    ("one tw|o", "X", "one t|o"),
    ("|one two", "dw", "|two"),
    ("one |two", "dw", "one| "),
    ("one |two\nthree", "dw", "one| \nthree"),
    ("|a b c d", "2dw", "|c d"),
    ("|a b c d", "d2w", "|c d"),
    ("|a b c d e f g", "2d2w", "|e f g"),
    ("one t|wo three", "de", "one t| three"),
    ("one two| three", "db", "one | three"),
    ("one |two three", "d0", "|two three"),
    ("one |two three", "D", "one| "),
    ("one |two three", "d$", "one| "),
    ("a |b\nc", "D", "a| \nc"),
    ("|one\ntwo\nthree", "dd", "|two\nthree"),
    ("one\ntwo\nth|ree", "dd", "one\n|two"),
    ("|one\ntwo\nthree", "2dd", "|three"),
    ("|one\ntwo\nthree", "dj", "|three"),
    ("one\ntwo\nth|ree", "dk", "|one"),
    ("one\n|two\nthree", "dG", "|one"),
    ("one\n|two\nthree", "dgg", "|three"),
    ("only |this", "dd", "|"),
    ("f(a, |b)", "di(", "f(|)"),
    ("f(a, |b)", "da(", "|f"),
    ("f(a, |b) c", "dib", "f(|) c"),
    ("x = {|a: [1]}", "di{", "x = {|}"),
    ("x = {a: [|1]}", "da[", "x = {a: |}"),
    ('say "hel|lo" now', 'di"', 'say "|" now'),
    ('say "hel|lo" now', 'da"', "say |now"),
    ("s|ay 'hi' now", "di'", "say '|' now"),
    ("one t|wo three", "diw", "one | three"),
    ("one t|wo three", "daw", "one |three"),
    ("one tw|o", "daw", "on|e"),
    ("one| two", "diw", "one|two"),
    ("a-b|-c d", "diW", "| d"),
    ("a\nb|c\n\nd", "dip", "|\nd"),
    ("a\nb|c\n\nd", "dap", "|d"),
    ("one.two|.three", "dt.", "one.two|.three"),
    ("|one.two.three", "dt.", "|.two.three"),
    ("|one.two.three", "df.", "|two.three"),
    ("one.two.|three", "dF.", "one.two|three"),
    ("f|(a)b", "d%", "f|b"),
    ("|one two", "yyp", "one two\n|one two"),
    ("|one\ntwo", "yyjp", "one\ntwo\n|one"),
    ("one\n|two", "yyP", "one\n|two\ntwo"),
    ("|one\ntwo", "2yyjp", "one\ntwo\n|one\ntwo"),
    ("|one two", "ywP", "one| one two"),
    ("|one two", "dwep", "twoone| "),
    ("|ab", "xp", "b|a"),
    ("|ab", "x3p", "baa|a"),
    ("|one\ntwo", "ddp", "two\n|one"),
    ("|one\ntwo", "Yp", "one\n|one\ntwo"),
    ("|one\ntwo", "J", "one| two"),
    ("|one\n  two\nthree", "3J", "one two| three"),
    ("|abC", "~", "A|bC"),
    ("|abC", "3~", "AB|c"),
    ("|abc", "rx", "|xbc"),
    ("|abc", "2rx", "x|xc"),
    ("|abc", "4rx", "|abc"),
    ("|one\ntwo", ">>", "  |one\ntwo"),
    ("|one\ntwo", ">j", "  |one\n  two"),
    ("    |one", "<<", "  |one"),
    ("|あいう", "dl", "|いう"),
    ("|e\u0301a", "x", "|a"),
    ("one| two", "dz", "one| two"),
]


@pytest.mark.parametrize(("given", "keys", "expected"), CHANGES)
def test_changes(given: str, keys: str, expected: str) -> None:
    assert after(given, keys) == expected


INSERTS = [
    ("a|b", f"iX{ESC}", "a|Xb"),
    ("a|b", f"aX{ESC}", "ab|X"),
    ("|", f"aX{ESC}", "|X"),
    ("  a|b", f"IX{ESC}", "  |Xab"),
    ("|ab", f"AX{ESC}", "ab|X"),
    ("|one\ntwo", f"oX{ESC}", "one\n|X\ntwo"),
    ("one\n|two", f"OX{ESC}", "one\n|X\ntwo"),
    ("|one two", f"cwX{ESC}", "|X two"),
    ("on|e two", f"cwX{ESC}", "on|X two"),
    ("|one two three", f"c2wX{ESC}", "|X three"),
    ("one |two", f"ccX{ESC}", "|X"),
    ("  one\n|two", f"kccX{ESC}", "  |X\ntwo"),
    ("one |two", f"CX{ESC}", "one |X"),
    ("|one", f"sX{ESC}", "|Xne"),
    ("|one", f"2sX{ESC}", "|Xe"),
    ("on|e", f"SX{ESC}", "|X"),
    ("f(|a, b)", f"ci(X{ESC}", "f(|X)"),
    ("say 'h|i'", f"ci'X{ESC}", "say '|X'"),
]


@pytest.mark.parametrize(("given", "keys", "expected"), INSERTS)
def test_inserting_changes(given: str, keys: str, expected: str) -> None:
    assert after(given, keys) == expected


UNDONE = [
    ("|one two", "dwu", "|one two"),
    ("|one two", "xxu", "|ne two"),
    ("|one two", f"cwabc{ESC}u", "|one two"),
    ("|one", f"Oabc{ESC}u", "|one"),
    ("|one", f"Aabc\x7f\x7fz{ESC}u", "on|e"),
    ("|one two", "dwu\x12", "|two"),
    ("|a b c", "dwdw2u", "|a b c"),
]


@pytest.mark.parametrize(("given", "keys", "expected"), UNDONE)
def test_a_change_is_taken_back_whole(given: str, keys: str, expected: str) -> None:
    assert after(given, keys).replace("|", "") == expected.replace("|", "")


AGAIN = [
    ("|abcd", "x.", "|cd"),
    ("|a b c d e", "dw..", "|d e"),
    ("|one two", f"cwX{ESC}w.", "X |X"),
    ("|a\nb\nc", f"Ax{ESC}j.", "ax\nb|x\nc"),
    ("|a\nb", f"ox{ESC}.", "a\nx\n|x\nb"),
    ("|a.b.c.d", "df..", "|c.d"),
    ("|a b c d", "dw2.", "|d"),
    ("|one two three", "vld.", "|two three"),
    ("|a\nb\nc\nd", "Vjd.", "|"),
    ("|abc", "rxl.", "x|xc"),
]


@pytest.mark.parametrize(("given", "keys", "expected"), AGAIN)
def test_a_dot_does_it_again(given: str, keys: str, expected: str) -> None:
    assert after(given, keys) == expected


VISUAL = [
    ("|one two", "vd", "|ne two"),
    ("|one two", "ved", "| two"),
    ("one |two", "vbd", "|wo"),
    ("|one two", "vwod", "|wo"),
    ("|one two", f"vecX{ESC}", "|X two"),
    ("|one two", "vey$p", "one twoon|e"),
    ("|one\ntwo\nthree", "Vjd", "|three"),
    ("|one\ntwo", "Vyjp", "one\ntwo\n|one"),
    ("|one\ntwo", "V>", "  |one\ntwo"),
    ("|one\ntwo", "vjJ", "one| two"),
    ("|one two", "ve~", "|ONE two"),
    ("|one two", "veU", "|ONE two"),
    ("|one two", "verx", "|xxx two"),
    ("one t|wo three", "viwd", "one | three"),
    ("f(|a b) c", "vi(d", "f(|) c"),
    ("|one two", "dwviwp", "one| "),
    ("|one two", f"ve{ESC}", "on|e two"),
    ("|one two", "vvx", "|ne two"),
    ("|one two", "v$d", "|"),
    ("a\n|b\nc", "VGd", "|a"),
]


@pytest.mark.parametrize(("given", "keys", "expected"), VISUAL)
def test_visual_mode(given: str, keys: str, expected: str) -> None:
    assert after(given, keys) == expected


def test_what_is_selected_is_known_while_it_is() -> None:
    editor, vim = at_work("one |two three")
    assert vim.selection is None
    press(editor, vim, "ve")
    assert vim.selection == (4, 7)
    press(editor, vim, "V")
    assert (vim.mode, vim.selection) == ("visual lines", (0, 13))
    press(editor, vim, ESC)
    assert (vim.mode, vim.selection) == ("normal", None)


def test_it_begins_by_inserting_and_esc_goes_back() -> None:
    editor = Editor()
    vim = Vim(editor)
    press(editor, vim, "hello")
    assert (vim.mode, editor.text) == ("insert", "hello")
    press(editor, vim, ESC)
    assert (vim.mode, editor.cursor) == ("normal", 4)


def test_a_second_esc_is_not_its_own() -> None:
    editor, vim = at_work("a|b")
    assert press(editor, vim, "d") == "done"
    assert vim.pending == "d"
    assert press(editor, vim, ESC) == "done"
    assert (vim.pending, press(editor, vim, ESC)) == ("", "pass")


def test_enter_sends_and_keys_that_mean_nothing_here_are_the_fields() -> None:
    editor, vim = at_work("a|b")
    assert press(editor, vim, "\r") == "submit"
    assert vim.take("ctrl+o", "") == "pass"
    assert press(editor, vim, "/") == "search"


def test_beyond_the_first_and_the_last_line_the_history_goes_on() -> None:
    editor, vim = at_work("on|e\ntwo")
    assert press(editor, vim, "k") == "older"
    assert press(editor, vim, "j") == "done"
    assert press(editor, vim, "j") == "newer"


def test_what_other_keys_cut_is_put_too_and_the_other_way_round() -> None:
    editor, vim = at_work("one |two")
    editor.kill_to_line_end()
    press(editor, vim, "P")
    assert editor.text == "one two"
    press(editor, vim, "dd")
    editor.yank()
    assert editor.text == "one two"


def test_a_chip_is_one_character_and_keeps_what_it_stands_for() -> None:
    editor, vim = at_work("|")
    editor.paste("x\n" * 300)
    editor.add_picture(Picture(b"", "image/png", 4, 3))
    press(editor, vim, "0xp")
    assert editor.expanded() == "[Image 1]" + "x\n" * 300 + " "
    assert [picture.width for picture in editor.pictures().values()] == [4]


@given(
    st.text(alphabet="ab .\n(あ\u0301", max_size=20),
    st.lists(
        st.sampled_from([*'hjklwbeWBE0^$G%;,.xXrpPuJ~vVioIaAOdcy<>fg1230("p', ESC]), max_size=25
    ),
)
def test_the_cursor_stays_in_the_text_and_all_can_be_taken_back(text: str, keys: list[str]) -> None:
    editor = Editor()
    editor.insert(text, typed=False)
    editor.move_to(len(text) // 2)
    vim = Vim(editor)
    vim.mode = "normal"
    for key in keys:
        press(editor, vim, key)
        assert 0 <= editor.cursor <= len(editor.text)
        selected = vim.selection
        assert selected is None or 0 <= selected[0] <= selected[1] <= len(editor.text)
    press(editor, vim, ESC + ESC)
    assert vim.mode == "normal"
    for _ in range(60):
        editor.undo()
    assert editor.text in (text, "")


def _row(line: str) -> tuple[str, str, str]:
    found = re.fullmatch(r"(.*?)  +(\S+)  +(.*)", line) or re.fullmatch(
        r"(.*\S) +(\S+)  +(.*)", line
    )
    assert found, line
    return found[1], found[2], found[3]
