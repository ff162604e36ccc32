from __future__ import annotations

import pytest

from agent_tui.tui.vim_motions import (
    MOTIONS,
    Reach,
    find,
    first_word,
    line_end,
    line_start,
    lines_around,
    text_object,
)

TEXT = "one (two)\n  three 'four'\n\nfive"


def test_lines() -> None:
    assert (line_start(TEXT, 12), line_end(TEXT, 12), first_word(TEXT, 12)) == (10, 24, 12)
    assert lines_around(TEXT, 3, 2) == Reach(0, 24, lines=True)
    assert lines_around(TEXT, 3, 99) == Reach(0, len(TEXT), lines=True)


@pytest.mark.parametrize(
    ("name", "at", "count", "to"),
    [
        ("w", 0, 1, 4),
        ("w", 24, 1, 25),
        ("e", 0, 1, 2),
        ("b", 12, 1, 8),
        ("W", 4, 1, 12),
        ("$", 0, 2, 23),
        ("%", 0, 1, 8),
        ("G", 0, 0, 26),
        ("gg", 20, 2, 12),
        ("}", 0, 1, 25),
    ],
)
def test_motions(name: str, at: int, count: int, to: int) -> None:
    assert MOTIONS[name][1](TEXT, at, count) == to


def test_finding_stays_in_the_line() -> None:
    assert find(TEXT, 0, 1, "f", "t") == 5
    assert find(TEXT, 0, 1, "t", "t") == 4
    assert find(TEXT, 8, 1, "F", "o") == 7
    assert find(TEXT, 0, 1, "f", "h") is None


@pytest.mark.parametrize(
    ("at", "around", "name", "reach"),
    [
        (5, False, "w", Reach(5, 8)),
        (0, True, "w", Reach(0, 4)),
        (6, False, "(", Reach(5, 8)),
        (6, True, ")", Reach(4, 9)),
        (19, False, "'", Reach(19, 23)),
        (12, False, "'", Reach(19, 23)),
        (12, False, "(", None),
        (0, False, "p", Reach(0, 24, lines=True)),
        (0, True, "p", Reach(0, 25, lines=True)),
        (25, False, "w", None),
    ],
)
def test_text_objects(at: int, around: bool, name: str, reach: Reach | None) -> None:
    assert text_object(TEXT, at, around, name) == reach
