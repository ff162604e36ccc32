from __future__ import annotations

from agent_tui.permissions.shell.parse import parse_line
from agent_tui.permissions.shell.source import Source
from tests.permissions.shell.reading import texts, words


def test_positions_are_bytes_inside_and_characters_outside() -> None:
    source = Source("äb c")
    assert source.cut(0, 2) == "ä"
    assert source.char(3) == 2
    assert Source("ab").char(1) == 1


def test_parts_that_touch_are_one_word() -> None:
    assert texts(words("a b'c'\"d\"$e f")) == ["a", "bcd*", "f"]


def test_blanks_the_grammar_takes_along_are_no_part_of_an_expansion() -> None:
    (_, word) = words('a "b $c `d`"')
    assert texts((word,)) == ["b * *"]


def test_a_line_that_goes_on_must_not_join_words() -> None:
    assert not parse_line("a \\\nb").problem
    assert parse_line("a\\\nb").problem


def test_a_keyword_stands_alone() -> None:
    assert parse_line("if[ a ]; then b; fi").problem
    assert not parse_line("if [ a ]; then b; fi").problem
