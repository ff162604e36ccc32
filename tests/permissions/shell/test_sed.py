from __future__ import annotations

import time

import pytest

from agent_tui.permissions.shell.options import Options, sort_words
from agent_tui.permissions.shell.sed import sed_script_is_plain, sed_scripts
from agent_tui.permissions.shell.words import word_of
from agent_tui.permissions.tables import names
from tests.permissions.shell.reading import texts, words


@pytest.mark.parametrize(
    "script",
    [
        "p",
        "5p",
        "1,20p",
        "1,$p",
        "/a/,/b/p",
        "/a/d",
        "$!d",
        "s/a/b/",
        "s/a/b/g",
        "s|a/b|c|gI",
        "s/a\\/b/c/2p",
        "1d;5d",
        "5q",
        "/a/s/b/c/",
        "n;d",
        "=",
    ],
)
def test_plain_scripts(script: str) -> None:
    assert sed_script_is_plain(word_of(script))


@pytest.mark.parametrize(
    "script",
    [
        "w x",
        "1w x",
        "s/a/b/w x",
        "s/a/b/e",
        "s/a/b/ge",
        "e",
        "1e x",
        "r x",
        "R x",
        "W x",
        "5p;w x",
        "a text",
        "i x",
        "c x",
        "y/a/b/",
        "{p}",
        "s/a/b",
        "F",
        "b",
        "s/a/b/\nw x",
        "p;e",
    ],
)
def test_scripts_that_may_do_more(script: str) -> None:
    assert not sed_script_is_plain(word_of(script))


def test_a_script_that_isn_t_known_isn_t_plain() -> None:
    assert not sed_script_is_plain(words("sed $x")[1])
    assert not sed_script_is_plain(None)


def test_scripts_are_the_first_word_or_those_given_by_option() -> None:
    known = Options("n", "e", names("expression"), names("expression"))
    for line, expected in (
        ("sed -n p f", ["p"]),
        ("sed -e p -e d f", ["p", "d"]),
        ("sed --expression=p f", ["p"]),
    ):
        found = sort_words(words(line)[1:], known)
        assert found is not None
        assert texts(sed_scripts(found)) == expected


def test_long_scripts_take_no_time() -> None:
    start = time.process_time()
    sed_script_is_plain(word_of("s/" + "a" * 4000))
    sed_script_is_plain(word_of("s/a/" + "\\x" * 2000))
    assert time.process_time() - start < 2
