from __future__ import annotations

import time

import pytest

from agent_tui.permissions.shell.options import Options, sort_words
from agent_tui.permissions.shell.sed import (
    MAX_SCRIPT,
    read_sed,
    sed_effects,
    sed_script_is_plain,
    sed_scripts,
)
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
        "a text; w x",
        "i\\\ntext\nd",
        "y/a/b/",
        "/x/{s/a/b/;p}",
        "{p;{d};}",
        ":a;N;$!ba;s/\\n/ /g",
        "s/[^/]*$//",
        "s/[/]/x/",
        "s/[[:space:]/]*$//",
        "/re/I,+3!d",
        "\\%a%d",
        "0~2d",
        "w /dev/stdout",
        "# w x",
        "",
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
        "s/a/b",
        "s/a/b/\nw x",
        "p;e",
        "a text\nw x",
        "a\\\ntext\nw x",
        "{p",
        "p}",
        "/x/{p;e\n}",
        "y/a/b/;w x",
        "s/[/]/x/;w f",
        "s/a/[/w f",
        "s/[/]/w f/",
        "s/a/b/;# w y\nw x",
        "ba;w x",
        "p w x",
        "\\%a%w x",
        "sxaxbxw y",
        "v\nw x",
        "1e",
        "s/.*/date/e;p",
        "X",
        "s/a/b/z",
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


def test_what_a_script_does_is_said_by_name() -> None:
    found = read_sed("1w out\ns/a/b/w other\nr in\ne ls")
    assert found is not None
    assert (found.writes, found.reads, found.runs) == (["out", "other"], ["in"], True)


def test_several_scripts_are_one() -> None:
    continued = words("sed -e 'a\\' -e 'w x' f")
    assert sed_effects((continued[2], continued[4])) == read_sed("a\\\nw x")
    found = sed_effects(words("p 'w x'"))
    assert found is not None
    assert found.writes == ["x"]
    assert sed_effects(()) is None


def test_a_script_that_is_too_long_is_not_read() -> None:
    assert read_sed("p;" * MAX_SCRIPT) is None
