from __future__ import annotations

import pyte
import pytest

from pictures.grid import INK, PALETTE, PAPER, Cell, Grid, Screen, grid_of


def shown(text: str, columns: int = 20, rows: int = 2) -> Grid:
    screen = Screen(columns, rows)
    stream = pyte.ByteStream(screen)
    stream.feed(f"\x1b[?25l{text}".encode())
    return grid_of(screen)


def test_a_cell_has_its_text_and_the_terminals_colours() -> None:
    grid = shown("hi")
    assert grid.rows[0][0] == Cell("h", INK, PAPER)
    assert grid.lines == ("hi", "")
    assert grid.width == 20


def test_colours_of_24_bits_and_of_the_palette() -> None:
    grid = shown("\x1b[38;2;1;2;255;48;2;16;32;48mx\x1b[0;91my")
    assert grid.rows[0][0] == Cell("x", "#0102ff", "#102030")
    assert grid.rows[0][1] == Cell("y", PALETTE["brightred"], PAPER)


@pytest.mark.parametrize(
    ("code", "cell"),
    [
        ("1", Cell("x", bold=True)),
        ("3", Cell("x", italic=True)),
        ("4", Cell("x", underline=True)),
        ("9", Cell("x", strike=True)),
        ("7", Cell("x", PAPER, INK)),
    ],
)
def test_styles(code: str, cell: Cell) -> None:
    assert shown(f"\x1b[{code}mx").rows[0][0] == cell


def test_dim_text_is_drawn_fainter_and_a_two_inside_a_colour_is_not_dim() -> None:
    grid = shown("\x1b[2mx\x1b[22my\x1b[38;2;2;2;2mz")
    dim, plain, coloured = grid.rows[0][:3]
    assert dim.ink not in (INK, PAPER)
    assert plain.ink == INK
    assert coloured.ink == "#020202"


def test_the_cursor_is_a_cell_in_reverse() -> None:
    screen = Screen(10, 1)
    pyte.ByteStream(screen).feed(b"ab")
    assert grid_of(screen).rows[0][2] == Cell(" ", PAPER, INK)


def test_the_second_half_of_a_wide_character_is_empty() -> None:
    grid = shown("日x")
    assert [cell.text for cell in grid.rows[0][:3]] == ["日", "", "x"]
    assert grid.lines[0] == "日x"


def test_the_paper_is_what_most_cells_have() -> None:
    row = (Cell(paper="#111111"),) * 3 + (Cell(paper="#222222"),)
    assert Grid((row,)).paper == "#111111"
