from __future__ import annotations

from agent_tui.protocol.display import Hunk
from agent_tui.tui.diffpaint import DiffPainter, ground
from agent_tui.tui.hunks import hunk_rows, side_by_side
from tests.tui.look import page, texts

HUNK = Hunk(9, 2, 9, 2, (" same", "-old = 1", "+new = 2"))
ROWS = hunk_rows(HUNK, "a.py")


def test_numbers_signs_and_code_begin_where_they_are_told() -> None:
    paint = DiffPainter(page(40), 4, 1)
    assert paint.code_column == 8
    assert texts(paint.line(row) for row in ROWS) == [
        "    9   same",
        "   10 − old = 1",
        "   10 + new = 2",
    ]
    marked = paint.line(ROWS[1], 0, ("›", page().theme.style("accent")))
    assert marked.strip.text.startswith("›  10 − old")


def test_a_long_line_is_cut_or_goes_on() -> None:
    long = hunk_rows(Hunk(1, 0, 1, 1, ("+" + "x" * 60,)), "a.txt")[0]
    assert DiffPainter(page(40)).parts(long) == 1
    assert DiffPainter(page(40)).line(long).strip.text.rstrip().endswith("…")
    paint = DiffPainter(page(40), wrap=True)
    assert paint.parts(long) == 3
    assert paint.line(long, 1).strip.text.strip() == "x" * 28
    assert paint.line(long, 0).glue == ""


def test_old_and_new_stand_beside_each_other() -> None:
    paint = DiffPainter(page(60), 4, 1)
    pairs = side_by_side(ROWS)
    rows = texts(paint.both(left, right) for left, right in pairs)
    assert rows[1].startswith("   10 − old = 1")
    assert "│   10 + new = 2" in rows[1]
    lonely = paint.both(ROWS[1], None)
    assert lonely.source is None


def test_each_sign_has_its_ground() -> None:
    assert [ground(row.sign) for row in ROWS] == ["bg", "removed_bg", "added_bg"]
