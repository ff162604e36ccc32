from __future__ import annotations

import pytest

from agent_tui.permissions.shell.options import Options, Sorted, sort_words
from agent_tui.permissions.tables import names
from tests.permissions.shell.reading import texts, words

KNOWN = Options("ab", "n", names("all color"), names("lines"), numeric=True)


def sort(line: str, known: Options = KNOWN) -> Sorted | None:
    return sort_words(words(line)[1:], known)


@pytest.mark.parametrize(
    ("line", "rest", "values"),
    [
        ("x -a -b y", ["y"], []),
        ("x -ab y z", ["y", "z"], []),
        ("x -n 5 y", ["y"], [("n", "5")]),
        ("x -n5 y", ["y"], [("n", "5")]),
        ("x -an 5 y", ["y"], [("n", "5")]),
        ("x --all --color=auto y", ["y"], [("color", "auto")]),
        ("x --lines 5 y --lines=6", ["y"], [("lines", "5"), ("lines", "6")]),
        ("x -5 y", ["y"], []),
        ("x y -a z", ["y", "z"], []),
        ("x -- q all", ["q", "all"], []),
        ("x - y", ["-", "y"], []),
        ("x ~/y", ["*/y"], []),
        ('x a"$y"', ["a*"], []),
        ("x a*", ["a*"], []),
        ('x --lines="$y" z', ["z"], [("lines", "*")]),
        ("x '' y", ["", "y"], []),
    ],
)
def test_known_options_are_sorted_out(
    line: str, rest: list[str], values: list[tuple[str, str]]
) -> None:
    found = sort(line)
    assert found is not None
    assert texts(found.rest) == rest
    assert [(name, texts((word,))[0]) for name, word in found.values] == values


@pytest.mark.parametrize(
    "line",
    [
        "x -c",
        "x --colo",
        "x --al",
        "x -ac",
        "x -n",
        "x --lines",
        "x $y",
        "x *",
        'x "$y"',
        "x -a$y",
        "x --$y",
        "x $(y)",
    ],
)
def test_what_may_be_another_option_is_not(line: str) -> None:
    assert sort(line) is None


def test_where_no_option_matters_unknown_words_are_operands() -> None:
    found = sort("x * $y", Options("ab", loose=True))
    assert found is not None
    assert texts(found.rest) == ["*", "*"]


def test_options_may_end_at_the_first_other_word() -> None:
    found = sort("x -a y -z", Options("a", mixed=False))
    assert found is not None
    assert texts(found.rest) == ["y", "-z"]
    assert found.at == 1


def test_given_options_and_values_are_found_by_name() -> None:
    found = sort("x -a --lines 5")
    assert found is not None
    assert found.given == {"a", "lines"}
    value = found.value("n", "lines")
    assert value is not None
    assert value.value == "5"
    assert found.value("q") is None


@pytest.mark.parametrize(
    "line",
    [
        "x -- -q",
        "x -- --all",
        "x -n -q y",
        "x --lines --all",
        "x -n $y z",
        "x --lines=$y z",
        "x -n$y z",
        "x -n * z",
        'x -n "$y" z',
        "x a$y",
        "x a{b,c}",
        "x -- $y",
    ],
)
def test_a_word_that_may_be_an_option_after_all_is_not_believed_to_be_none(line: str) -> None:
    assert sort(line) is None


def test_where_it_is_sure_which_options_take_words_they_may_begin_with_a_dash() -> None:
    exact = Options("ab", "n", names("all"), names("lines"), exact=True)
    found = sort("x -n -q --lines --all -- -z", exact)
    assert found is not None
    assert texts(found.rest) == ["-z"]
    assert sort("x -n $y", exact) is None
    found = sort("x -n -5 -- -6")
    assert found is not None
    assert texts(found.rest) == ["-6"]
