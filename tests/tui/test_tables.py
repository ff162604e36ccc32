from __future__ import annotations

import pytest

from agent_tui.tui.lines import Span
from agent_tui.tui.tables import Align, Table, draw_table
from tests.fakes.conversation_host import page, texts

STYLE = page().theme.style("text")


def cell(text: str) -> tuple[Span, ...]:
    return ((text, STYLE),) if text else ()


def table(*rows: str, aligns: str = "llr") -> Table:
    split = [tuple(cell(part) for part in row.split("|")) for row in rows]
    names: dict[str, Align] = {"l": "left", "r": "right", "c": "center"}
    return Table(
        split[0], tuple(split[1:]), tuple(names[a] for a in aligns), ("head", "rule", *rows[1:])
    )


def test_columns_stand_apart_and_numbers_at_the_right() -> None:
    lines = draw_table(page(80), table("Name|What|N", "one|x|1", "longer||22"), column=3, width=30)
    assert texts(lines) == [
        "   Name          What         N",
        "   " + "─" * 28,
        "   one           x            1",
        "   longer                    22",
    ]
    assert [line.source for line in lines] == ["head", "rule", "one|x|1", "longer||22"]


def test_what_is_too_wide_wraps_in_its_cell() -> None:
    lines = draw_table(page(80), table("A|B|C", "a|many words in here|3"), column=3, width=16)
    assert texts(lines)[2:] == ["   a  many words  3", "      in here"]
    assert [(line.source, line.glue) for line in lines[2:]] == [
        ("a|many words in here|3", ""),
        ("", None),
    ]


def test_a_table_that_can_not_be_read_in_columns_becomes_a_list() -> None:
    wide = table(
        "|".join(f"Head{n}" for n in range(9)),
        "|".join(f"value {n}" for n in range(9)),
        aligns="l" * 9,
    )
    lines = draw_table(page(40), wide, column=3, width=35)
    assert texts(lines)[0] == "   Head0  value 0"
    assert len(lines) == 9


@pytest.mark.parametrize("width", [10, 20, 35])
def test_no_row_is_wider_than_there_is_room(width: int) -> None:
    lines = draw_table(
        page(80), table("A|B|C", "one two|three four five|6", "日本語|x|7"), column=3, width=width
    )
    assert all(len(text) <= 3 + width for text in texts(lines))
