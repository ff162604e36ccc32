from __future__ import annotations

import pytest

from pictures.grid import Cell, Grid
from pictures.times import BRIEF, CLOCK, THOUGHT, TOOK, WAITS, Fixed, with_fixed

WIDTH = 60


def fixed(*lines: str, times: tuple[Fixed, ...]) -> tuple[str, ...]:
    rows = tuple(tuple(Cell(char) for char in line.ljust(WIDTH)) for line in lines)
    made = with_fixed(Grid(rows), times)
    assert {len(row) for row in made.rows} == {WIDTH}
    return made.lines


def right(left: str, fact: str, edge: int = WIDTH - 2) -> str:
    return left + fact.rjust(edge - len(left))


@pytest.mark.parametrize(
    ("pattern", "before", "after"),
    [
        (CLOCK, right(" › fix 12:30 it", "19:26"), right(" › fix 12:30 it", "14:02")),
        (CLOCK, right(" › fix", "19:26 │", WIDTH), right(" › fix", "14:02 │", WIDTH)),
        (THOUGHT, " ▸ Thought for 12 s", " ▸ Thought for 14:02"),
        (WAITS, right(" ◆ Edit", "waiting for you   0:12"), right(" ◆ Edit", "waiting for you   14:02")),
        (TOOK, right(" ● Bash", "exit 0   2.3 s"), right(" ● Bash", "exit 0   14:02")),
        (TOOK, right(" ● Bash", "exit 0   12:02"), right(" ● Bash", "exit 0   14:02")),
    ],
)  # fmt: skip
def test_a_time_is_replaced_where_it_stands(pattern: str, before: str, after: str) -> None:
    assert fixed(before, times=(Fixed(pattern, ("14:02",)),)) == (after,)


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (TOOK, "   it takes 30 s early"),
        (TOOK, right(" › fix", "19:26")),
        (TOOK, right(" ◆ Edit", "waiting for you   0:12")),
        (CLOCK, right(" ● Bash  date", "19:26")),
        (BRIEF, right(" ● Bash  uv run", "2.3 s")),
    ],
)
def test_other_numbers_stay(pattern: str, line: str) -> None:
    assert fixed(line, times=(Fixed(pattern, ("14:02",)),)) == (line,)


def test_a_call_that_takes_no_time_has_none() -> None:
    times = (Fixed(BRIEF, ("",)),)
    assert fixed(right(" ● Read  a.py", "0.1 s"), times=times) == (" ● Read  a.py",)


def test_times_are_given_from_top_to_bottom_the_last_one_for_all_that_follow() -> None:
    lines = [right(" ● Bash", f"{n}.0 s") for n in (7, 8, 9)]
    made = fixed(*lines, times=(Fixed(TOOK, ("1.0 s", "2.0 s")),))
    assert [line[-5:] for line in made] == ["1.0 s", "2.0 s", "2.0 s"]


def test_what_is_on_the_left_moves_what_follows_it_and_nothing_else() -> None:
    line = right(" ◐ Working  0:07   turn 3", "esc stop")
    (made,) = fixed(line, times=(Fixed(r"Working  (\d+:\d\d)", ("10:07",)),))
    assert made == right(" ◐ Working  10:07   turn 3", "esc stop")


def test_a_replaced_time_looks_like_the_one_before() -> None:
    row = (
        *(Cell(c) for c in "Thought for "),
        *(Cell(c, ink="#123456") for c in "9 s"),
        *[Cell()] * 9,
    )
    made = with_fixed(Grid((row,)), (Fixed(THOUGHT, ("12 s",)),))
    assert [cell.ink for cell in made.rows[0][12:16]] == ["#123456"] * 4


def test_columns_count_where_characters_are_wide() -> None:
    row = (Cell("日"), Cell(""), *(Cell(c) for c in " Thought for 9 s"), *[Cell()] * 6)
    made = with_fixed(Grid((row,)), (Fixed(THOUGHT, ("6 s",)),))
    assert made.lines == ("日 Thought for 6 s",)
