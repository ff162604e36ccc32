from __future__ import annotations

import pytest

from agent_tui.permissions.shell.computing import array_in_text, computes, given_texts, makes_arrays
from tests.permissions.shell.reading import texts, words


@pytest.mark.parametrize(
    "line",
    [
        "unset 'a[$(x)]'",
        'unset "$x"',
        "read 'a[$(x)]'",
        "read -a 'a[$(x)]'",
        "readarray 'a[x]'",
        "mapfile -C x -c 1 y",
        "getopts ab 'a[$(x)]'",
        "wait -p 'a[$(x)]'",
        "printf -v 'a[$(x)]' y",
        "printf '-va[$(x)]' y",
        "printf $x 'a[$(x)]'",
        "printf \"$x\" 'a[$(x)]'",
        "test -v x",
        "test -R x",
        "let x=1",
        "alias a=b",
        "shopt -s x",
        "hash -p x y",
    ],
)
def test_builtins_that_may_run_what_a_word_holds(line: str) -> None:
    given = words(line)
    assert computes(str(given[0].value), given)


@pytest.mark.parametrize(
    "line",
    [
        "unset x y",
        "unset -f x",
        "read -r x y",
        "read -p 'Go on? [y/N] ' x",
        "read -ra x",
        "mapfile -t x",
        "getopts ab x",
        "wait -n",
        "wait $x",
        "printf -v x y",
        "printf '%s' \"$x\"",
        'printf "$x" a b',
        "printf",
        "test -f $x",
        "ls 'a[$(x)]'",
    ],
)
def test_others_do_not(line: str) -> None:
    given = words(line)
    assert not computes(str(given[0].value), given)


def test_declarations() -> None:
    for line in (
        "declare -i x",
        "declare -n x",
        "local +i x",
        "declare 'a[x]=1'",
        'export "$x"',
        "declare 'x=(1)'",
        "readonly 'a[$(x)]'",
    ):
        given = words(line)
        assert computes(str(given[0].value), given), line
    for line in ("declare -r x", "declare -a x", "local 'x=a b'", "export x", 'declare "x=$y"'):
        given = words(line)
        assert not computes(str(given[0].value), given), line


def test_a_text_may_read_like_an_array() -> None:
    given = given_texts(words("declare -a \"x=$y\" 'z=(1)' w"))
    assert {name: texts((word,)) for name, word in given.items()} == {"x": ["*"], "z": ["(1)"]}
    assert [array_in_text(word) for word in given.values()] == [True, True]
    assert not array_in_text(words("a b")[1])
    assert not array_in_text(None)
    assert makes_arrays(words("declare -ra x"))
    assert not makes_arrays(words("declare -r a"))
