from __future__ import annotations

from agent_tui.tui.lines import make_line
from agent_tui.tui.panes.painting import Marks, paint
from tests.fakes.conversation_host import page

SHEET = page(40)
LINE = make_line(SHEET, [("some words", SHEET.theme.style("text"))])


def test_without_marks_the_row_is_left_as_it_is() -> None:
    assert paint(SHEET, LINE, Marks()) is LINE.strip


def test_marks_never_change_the_width() -> None:
    marks = Marks(bar=True, cursor=True, selected=(0, -1), more_below=True)
    strip = paint(SHEET, LINE, marks)
    assert sum(s.cell_length for s in strip) == 40
    assert strip.text == "▎  some words        ↓ more below  end │"


def test_only_content_is_selected() -> None:
    ground = SHEET.theme.roles["select"].bgcolor
    for selected, text in (
        ((0, -1), "some words"),
        ((5, 8), "me "),
        ((0, 2), ""),
        ((8, 99), "words"),
    ):
        strip = paint(SHEET, LINE, Marks(selected=selected))
        assert "".join(s.text for s in strip if s.style and s.style.bgcolor == ground) == text
    reverse = page(40, "sixteen")
    line = make_line(reverse, [("some words", reverse.theme.style("text"))])
    strip = paint(reverse, line, Marks(selected=(3, 7)))
    assert "".join(s.text for s in strip if s.style and s.style.reverse) == "some"


def test_the_bar_keeps_the_ground_it_stands_on() -> None:
    band = make_line(SHEET, [], on="surface", band=True)
    last = list(paint(SHEET, band, Marks(bar=True)))[-1]
    assert last.style is not None
    assert last.style.bgcolor == SHEET.theme.roles["surface"].bgcolor
    assert last.style.color == SHEET.theme.roles["thumb"].color
