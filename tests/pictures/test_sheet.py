from __future__ import annotations

import pytest

from pictures.grid import Cell, Grid
from pictures.sheet import PARTS, Sheet, Strip
from pictures.states import Picture

ONE, TWO = Picture("one", ""), Picture("two", "")


def grid(*lines: str) -> Grid:
    return Grid(tuple(tuple(Cell(char) for char in line) for line in lines))


def test_rows_are_cut_out_and_filled_up() -> None:
    sheet = Sheet("s", "", (Strip(ONE, "b"), Strip(TWO, "c", above=1)), width=5)
    made = sheet.of({"one": grid("abc", "xyz", "b  "), "two": grid("c")})
    assert made.lines == ("abc", "b", "", "c", "")
    assert {len(row) for row in made.rows} == {5}


def test_a_strip_that_finds_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="one has no row"):
        Sheet("s", "", (Strip(ONE, "q"),)).of({"one": grid("abc")})


def test_each_picture_is_taken_once() -> None:
    sheet = Sheet("s", "", (Strip(ONE, "a"), Strip(TWO, "b"), Strip(ONE, "c")))
    assert sheet.pictures == (ONE, TWO)
    assert len(PARTS.pictures) == len({picture.name for picture in PARTS.pictures})
