"""Checks of words that lists of options can't say."""

from __future__ import annotations

import pytest

from agent_tui.permissions.shell.looker import plain_test
from agent_tui.permissions.shell.lookers import look
from tests.permissions.shell.reading import words


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("test -f a", True),
        ('test -f "$x"', True),
        ('test "$x" = y', True),
        ('test y = "$x"', True),
        ('test "$x"', True),
        ('test -n "$x" -a "$y" = z', True),
        ("test ~ = y", True),
        ("test -v x", False),
        ("test a -o -R x", False),
        ("test $x", False),
        ("test $x = y", False),
        ('test "$x" y', False),
        ('test -v "$x"', False),
        ('test "$x" "$y"', False),
    ],
)
def test_a_word_that_may_be_an_operator_is_not_plain(line: str, plain: bool) -> None:
    assert plain_test(words(line)[1:]) == plain


@pytest.mark.parametrize(
    "line",
    [
        "ps aux",
        "ps -ef",
        "ps -eo pid,comm",
        "ps 12",
        "docker ps -a",
        "docker images",
        "python3 --version",
        "python3 -V",
        "node -v",
        "gcc --version",
        "unzip -l x",
        "gzip -dc x",
        "gzip -l x",
        "ls -R",
        "awk '{print $1}' x",
        "grep --help",
        "set -e",
        "bc -l",
    ],
)
def test_forms_that_only_look(line: str) -> None:
    assert look(words(line)) is not None


@pytest.mark.parametrize(
    "line",
    [
        "ps auxe",
        "ps -eo pid,environ",
        "ps -eo",
        "docker run x",
        "docker -H x ps",
        "docker ps --filter x",
        "python3 -v",
        "python3 --version x",
        "gcc -v",
        "unzip x",
        "gzip x",
        "gzip -d x",
        "ls -RL",
        "awk 'BEGIN{system(1)}'",
        "set",
        "bc x",
    ],
)
def test_forms_that_may_do_more(line: str) -> None:
    assert look(words(line)) is None
