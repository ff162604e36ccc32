"""One word: quotes, backslashes, holes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.permissions.shell.words import Hole, UnclearError, Word, read_word, word_of
from tests.permissions.shell.reading import words


def read(raw: str) -> Word:
    return read_word(raw, {})


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("abc", "abc"),
        ("'a b'", "a b"),
        ('"a b"', "a b"),
        ("a\\ b", "a b"),
        ("a'b'\"c\"d", "abcd"),
        ('"\\$\\`\\"\\\\\\x"', '$`"\\\\x'),
        ("'\\'", "\\"),
        ("$'a\\n\\t\\'\\x41\\101'", "a\n\t'AA"),
        ('""', ""),
        ("a$", "a$"),
        ('"a$"', "a$"),
        ("a#b", "a#b"),
        ("a~b", "a~b"),
        ("[", "["),
        ("{}", "{}"),
    ],
)
def test_quoting_is_undone(raw: str, value: str) -> None:
    assert read(raw).value == value


@pytest.mark.parametrize(
    ("raw", "pieces"),
    [
        ("*.py", (Hole("glob", "*"), ".py")),
        ("a?[bc]", ("a", Hole("glob", "?"), Hole("glob", "[bc]"))),
        ("'*'", ("*",)),
        ("~/x", (Hole("tilde", "~", quoted=True), "/x")),
        ("~me/x", (Hole("tilde", "~me", quoted=True), "/x")),
        ("'~'/x", ("~/x",)),
        ("of=~/x", ("of=", Hole("tilde", "~", quoted=True), "/x")),
        ("a{b,c}d", ("a", Hole("brace"))),
        ("{1..9}", (Hole("brace"),)),
    ],
)
def test_what_the_shell_fills_in_is_a_hole(raw: str, pieces: tuple[object, ...]) -> None:
    assert read(raw).pieces == pieces
    assert read(raw).value == ("".join(map(str, pieces)) if read(raw).literal else None)


@pytest.mark.parametrize(
    "raw",
    [
        "'a",
        '"a',
        "a\\",
        "a b",
        "a;b",
        "a|b",
        "a`b`",
        "$(a)",
        "$x",
        '"$x"',
        "#a",
        '$"a"',
        "$'\\0'",
        "$'\\xff'",
        "$'\\q'",
        "a\\\nb",
        "a(b)",
        "a>b",
    ],
)
def test_what_isn_t_one_known_word_is_unclear(raw: str) -> None:
    with pytest.raises(UnclearError):
        read(raw)


def test_expansions_come_from_the_grammar() -> None:
    first, second, third = words('a$x"b$y" "$@" ${z:-q}')
    assert first.pieces == ("a", Hole("variable", "x"), "b", Hole("variable", "y", quoted=True))
    assert first.splits
    assert second.splits
    assert third.pieces == (Hole("variable"),)


def test_a_word_knows_what_it_surely_is() -> None:
    (command, word, other) = words('git pu"sh" $x')
    assert command.is_text("git")
    assert word.is_text("pull", "push")
    assert not word.is_text("pu")
    assert other.start == ""
    assert other.value is None
    assert word_of("x y").value == "x y"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20))
def test_single_quotes_keep_any_text(text: str) -> None:
    raw = "'" + text.replace("'", "'\\''") + "'"
    assert read(raw).value == text


@given(st.text("ab'\"\\$`{},*?[]~# \n;|&<>()=.", max_size=12))
def test_any_text_is_a_word_or_unclear(raw: str) -> None:
    try:
        word = read(raw) if raw else word_of("")
    except UnclearError:
        return
    assert word.raw == raw


def test_nesting_costs_no_stack() -> None:
    assert read("{a," * 3000 + "}" * 3000).pieces == (Hole("brace"),)
