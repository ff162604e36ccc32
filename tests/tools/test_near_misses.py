"""Why a text was not found."""

from __future__ import annotations

import pytest

from agent_tui.tools.near_misses import why_not_found
from agent_tui.tools.text import TextFile

FILE = "def f():\n    return \u201cx\u201d\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("1\tdef f():\n2\t    return", "", "line numbers"),
        ('return "x"', "", "line 2 the same text stands with other quotes"),
        ("  def f():", "", "line 1 the same text stands with other white space"),
        ("def g():", "def f():", "there already"),
        ("nothing like it", "nor this", ""),
        ("\n\n\n", "x y z", ""),
    ],
)
def test_the_usual_slips(old: str, new: str, told: str) -> None:
    text = why_not_found(TextFile(FILE), old, new)
    assert told in text
    assert bool(text) is bool(told)


def test_bytes_that_were_only_shown() -> None:
    file = TextFile.decode(b"one\nFoo\x99\n")
    assert "line 2" in why_not_found(file, "Foo\ufffd", "x")
