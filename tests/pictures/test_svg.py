from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from pictures.grid import Cell, Grid
from pictures.svg import HEIGHT, MARGIN, WIDTH, runs, svg_of, text_in

SPACE = "{http://www.w3.org/2000/svg}"


def row(text: str, **look: object) -> tuple[Cell, ...]:
    return tuple(Cell(char, **look) for char in text)  # pyright: ignore[reportArgumentType]


def drawn(*rows: tuple[Cell, ...]) -> ET.Element:
    return ET.fromstring(svg_of(Grid(rows), "A <title>"))


def written(root: ET.Element) -> list[tuple[str, str]]:
    return [(node.text or "", node.get("x", "")) for node in root.iter(f"{SPACE}text")]


def boxes(root: ET.Element, colour: str) -> list[tuple[float, ...]]:
    return [
        tuple(float(node.get(name, "")) for name in ("x", "y", "width", "height"))
        for node in root.iter(f"{SPACE}rect")
        if node.get("fill") == colour
    ]


def test_the_size_is_that_of_the_grid() -> None:
    root = drawn(row("abc"), row("def"))
    assert root.get("width") == str(3 * WIDTH + 2 * MARGIN)
    assert root.get("height") == str(2 * HEIGHT + 2 * MARGIN)
    assert root.findtext(f"{SPACE}title") == "A <title>"


def test_every_letter_has_its_cell() -> None:
    assert written(drawn(row("ab cd  "))) == [("ab cd", "0 9 18 27 36")]


def test_the_text_of_a_file_is_that_of_the_screen() -> None:
    grid = Grid((row("a <b> & ─ "), row("          "), row("● last ━━ ")))
    svg = svg_of(grid, "t")
    assert text_in(svg) == grid.lines == ("a <b> & ─", "", "● last ━━")


def test_letters_that_look_alike_are_one_run_and_others_are_not() -> None:
    cells = (*row("if", bold=True), *row(" x"), *row("y", ink="#ff0000"))
    assert [(run.start, run.text) for run in runs(cells)] == [(0, "if"), (3, "x"), (4, "y")]


def test_a_glyph_stands_alone_in_the_middle_of_its_cell() -> None:
    assert written(drawn(row("a●b"))) == [("a", "0"), ("●", "13.5"), ("b", "18")]


def test_a_wide_character_has_two_cells() -> None:
    cells = (Cell("日"), Cell(""), Cell("x"))
    assert [(run.start, run.width, run.text) for run in runs(cells)] == [(0, 2, "日"), (2, 1, "x")]


def test_lines_are_drawn_and_not_written() -> None:
    root = drawn(row("───━│", ink="#123456"))
    assert written(root) == []
    assert boxes(root, "#123456") == [(0, 9.5, 27, 1), (27, 9, 9, 2), (40, 0, 1, HEIGHT)]


def test_bands_are_drawn_once_for_neighbours() -> None:
    root = drawn((*row("aaaa"), *row("bb", paper="#222222")))
    assert boxes(root, "#222222") == [(36, 0, 18, HEIGHT)]


def test_underlined_blanks_and_struck_words() -> None:
    root = drawn(
        (*row("a b", underline=True, ink="#010101"), *row("c", strike=True, ink="#020202"))
    )
    assert boxes(root, "#010101") == [(0, 17, 27, 1)]
    assert boxes(root, "#020202") == [(27, 10, 9, 1)]


def test_the_same_screen_gives_the_same_bytes_and_no_more_than_it_shows() -> None:
    grid = Grid((row("12:00 x", bold=True), row("italics", italic=True)))
    first = svg_of(grid, "t")
    assert first == svg_of(grid, "t")
    assert 'font-weight="bold"' in first and 'font-style="italic"' in first
    assert set(re.findall(r">([^<>\n]+)<", first)) == {"t", "12:00 x", "italics"}
