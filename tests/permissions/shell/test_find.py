from __future__ import annotations

import pytest

from agent_tui.permissions.shell.find import find_paths
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
