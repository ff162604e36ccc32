from __future__ import annotations

import pytest

from agent_tui.permissions.shell.brackets import computed_names
from agent_tui.permissions.shell.parse import parse_line
from tests.permissions.shell.reading import texts, words


def test_single_brackets_are_an_ordinary_command() -> None:
    assert texts(words("[ -f \"a b\" -a $x = 'c' ]")) == [
        "[",
        "-f",
        "a b",
        "-a",
        "*",
        "=",
        "c",
        "]",
    ]


def test_of_double_brackets_only_the_name_is_kept() -> None:
    assert texts(words("[[ -f a && $x == b* ]]")) == ["[["]


@pytest.mark.parametrize(
    "line",
    [
        "[ a > b ]",
        "[ a < b ]",
        "[ a\nb ]",
        "[a ]",
        "[[a ]]",
        "[[ a =~ ^>(b) ]]",
        "[[ a == b; rm x ]]",
    ],
)
def test_what_would_do_more_than_test_is_not_understood(line: str) -> None:
    assert parse_line(line).problem


def test_names_that_are_computed_with_are_told() -> None:
    assert "x" in computed_names("[[ x -eq 1 ]]")[0]
    assert computed_names("[ x -eq 1 ]") == (frozenset(), "")
    assert computed_names("[[ 'a[1]' -eq 1 ]]")[1]
    assert computed_names("[[ -v a ]]")[1]
    assert computed_names("[[ a == b ]]") == (frozenset(), "")
