from __future__ import annotations

from agent_tui.protocol.display import DiffDisplay, Hunk
from agent_tui.tui.coderows import code_rows
from agent_tui.tui.displays.drawing import Options, render_display
from agent_tui.tui.lines import Line
from agent_tui.tui.markdown import draw_markdown
from agent_tui.tui.output import output_rows
from agent_tui.tui.places import FAR, Stretch, line_around, places, stretches_in_row
from agent_tui.tui.stack import Stack
from agent_tui.view.searching import Needle, needle_of
from tests.tui.look import page


def needle(text: str) -> Needle:
    made = needle_of(text)
    assert made is not None
    return made


def found(body: object, text: str) -> list[list[str]]:
    """The places as the pieces of rows they take."""
    assert isinstance(body, list | Stack) or hasattr(body, "rows_with")
    rows: list[Line] = list(body)  # pyright: ignore[reportArgumentType, reportUnknownVariableType]
    return [
        [rows[one.row].strip.text[one.start : one.end] for one in place]
        for place in places(body, needle(text))  # pyright: ignore[reportArgumentType]
    ]


def test_a_text_is_found_across_the_breaks_of_the_screen() -> None:
    rows = draw_markdown(
        page(40), "these words are too many for one row of this page, so they wrap"
    )
    assert len(rows) > 1
    (place,) = found(rows, "for one row of")
    assert len(place) == 2 and " ".join(piece.strip() for piece in place) == "for one row of"
    assert found(rows, "WORDS") == [["words"]]
    assert found(rows, "nothing") == []


def test_several_in_one_row_are_told_apart_and_margins_are_not_searched() -> None:
    rows = draw_markdown(page(), "a cat, a CAT, a cat")
    assert found(rows, "cat") == [["cat"], ["CAT"], ["cat"]]
    assert stretches_in_row(rows, 0, needle("a c")) == ((3, 6), (10, 13), (17, 20))


def test_lazy_bodies_draw_only_the_rows_that_hold_it() -> None:
    lines = [f"line {n}" for n in range(5000)]
    lines[4321] = "a needle here"
    rows = code_rows(page(), lines)
    assert list(rows.rows_with(needle("needle"))) == [4321]
    assert found(output_rows(page(), lines), "needle") == [["needle"]]
    stack = Stack(draw_markdown(page(), "needle"), code_rows(page(), lines))
    assert [row for row in stack.rows_with(needle("needle")) if row > 1] == [4322]
    assert [place[0].row for place in places(stack, needle("needle"))] == [0, 4322]


def test_a_line_of_code_that_was_broken_is_searched_whole() -> None:
    rows = code_rows(page(40), ["x" * 30 + "needle" + "y" * 30])
    (place,) = places(rows, needle("needle"))
    assert len(place) == 2 and place[0].row == 0 and place[1].row == 1


def test_a_change_is_searched_without_its_gutter_on_both_sides() -> None:
    hunk = Hunk(42, 1, 42, 1, ("-old 42 name", "+new name"), "f")
    display = DiffDisplay("a.py", (hunk,), 1, 1)
    unified = render_display(display, page(), Options(expanded=True))
    assert found(unified, "42") == [["42"]]
    beside = render_display(display, page(160), Options(expanded=True, side_by_side=True))
    assert len(list(places(beside, needle("name")))) == 2


def test_an_endless_line_is_followed_only_so_far() -> None:
    rows = output_rows(page(40), ["word " * 20_000])
    first, last = line_around(rows, 1000)
    assert (first, last) == (1000 - FAR, 1000 + FAR)
    assert stretches_in_row(rows, 1000, needle("word"))
    assert Stretch(1, 2, 3).row == 1
