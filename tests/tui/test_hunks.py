from __future__ import annotations

from agent_tui.protocol.display import Hunk
from agent_tui.tui.hunks import cuts, hunk_rows, side_by_side

HUNK = Hunk(10, 4, 20, 4, (" a", "-b", "-c", "+B", " d", "+e"))


def test_lines_are_numbered_on_their_own_side_and_paired() -> None:
    rows = hunk_rows(HUNK, "x.txt")
    assert [(r.sign, r.old_number, r.number) for r in rows] == [
        (" ", 10, 20),
        ("-", 11, 11),
        ("-", 12, 12),
        ("+", 21, 21),
        (" ", 13, 22),
        ("+", 23, 23),
    ]
    assert [r.pair for r in rows] == [None, "B", None, "b", None, None]
    assert [r.code.line(r.at)[0][0] for r in rows] == ["a", "b", "c", "B", "d", "e"]


def test_old_and_new_stand_beside_each_other() -> None:
    pairs = side_by_side(hunk_rows(HUNK, "x.txt"))
    shown = [(old.text if old else None, new.text if new else None) for old, new in pairs]
    assert shown == [("a", "a"), ("b", "B"), ("c", None), ("d", "d"), (None, "e")]


def test_an_addition_before_a_removal_is_no_pair() -> None:
    rows = hunk_rows(Hunk(1, 1, 1, 1, ("+new", "-old")), "")
    assert [r.pair for r in rows] == [None, None]
    assert len(side_by_side(rows)) == 2


def test_a_stretch_is_cut_at_the_marks() -> None:
    assert list(cuts(2, 10, [(0, 3), (5, 6), (9, 20)])) == [
        (2, 3, True),
        (3, 5, False),
        (5, 6, True),
        (6, 9, False),
        (9, 10, True),
    ]
    assert list(cuts(0, 3, [])) == [(0, 3, False)]
