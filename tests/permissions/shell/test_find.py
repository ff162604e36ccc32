from __future__ import annotations

import pytest

from agent_tui.permissions.shell.find import CHANGES, RUNS, find_paths, may_act, may_be, may_run
from agent_tui.permissions.shell.turning import may_turn
from tests.permissions.shell.reading import texts, words


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("find", []),
        ("find -H a b -name '*.py' ! -path x -o \\( -type d -print \\)", ["a", "b"]),
        ("find ~/a -newer b", ["*/a", "b"]),
        ("find . -printf '%p' -prune -maxdepth 2", ["."]),
    ],
)
def test_looks_give_their_paths(line: str, paths: list[str]) -> None:
    found = find_paths(words(line))
    assert found is not None
    assert texts(found) == paths


@pytest.mark.parametrize(
    "line",
    [
        "find . -delete",
        "find . -exec x \\;",
        "find . -ok x \\;",
        "find . -fprint x",
        "find . -fls x",
        "find . -odd",
        "find . -name",
        "find . -name *",
        "find . $x",
        "find $x",
        "find *",
        "find -files0-from x",
    ],
)
def test_others_may_do_more(line: str) -> None:
    assert find_paths(words(line)) is None


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ('find . -name "$x"', False),
        ("find . -name $x", True),
        ("find . -name *.c", False),
        ("find *.c", False),
        ("find *", True),
        ('find "$x"', True),
        ("find . -{delete,print}", True),
        ("find . -n$x", True),
        ("find ./$x", True),
        ('find ./"$x"', False),
        ("find . -type f", False),
    ],
)
def test_words_that_may_make_it_do_more(line: str, acts: bool) -> None:
    assert bool(may_act(words(line), lambda word: may_turn(word, {}))) == acts


def test_words_after_which_a_command_may_stand() -> None:
    assert may_run(words('find . "$x" rm'))
    assert not may_run(words('find . -name "$x"'))
    assert may_be(words("a -ex?c")[1], RUNS)
    assert not may_be(words("a -ey?")[1], RUNS)
    assert may_be(words("a -fprint")[1], CHANGES)
