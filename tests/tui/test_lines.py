from __future__ import annotations

import pytest
from rich.cells import cell_len

from agent_tui.tui.lines import (
    Page,
    blank_line,
    cut,
    cut_spans,
    join_facts,
    make_line,
    spans_width,
    take,
    width_of,
)
from tests.fakes.conversation_host import page


@pytest.mark.parametrize("width", [40, 60, 120, 200])
def test_a_row_is_as_wide_as_the_page_whatever_is_in_it(width: int) -> None:
    sheet = page(width)
    style = sheet.theme.style("text")
    for text in ("", "short", "x" * 300, "日本語" * 90):
        for facts in ((), (("0.1 s", style),)):
            line = make_line(sheet, [(text, style)], facts=facts, lead=[(" ", style), ("●", style)])
            assert line.strip.cell_length == width
            assert sum(cell_len(segment.text) for segment in line.strip) == width
    assert blank_line(sheet).strip.cell_length == width


def test_text_begins_at_column_3_and_facts_end_two_before_the_border() -> None:
    sheet = page(60)
    style = sheet.theme.style("text")
    line = make_line(sheet, [("what", style)], facts=[("how", style)], lead=[(" ●", style)])
    assert line.strip.text == " ● what" + " " * 48 + "how  "
    assert line.content == "what"


def test_facts_are_never_cut_the_text_is() -> None:
    sheet = page(40)
    style = sheet.theme.style("text")
    line = make_line(sheet, [("x" * 100, style)], facts=[("exit 1", style)])
    assert line.strip.text == "   " + "x" * 25 + "…   exit 1  "


def test_a_band_covers_the_whole_row_or_the_text_only() -> None:
    sheet = page(40)
    ground = sheet.theme.roles["surface"].bgcolor
    style = sheet.theme.style("strong", "surface")
    band = make_line(sheet, [("a", style)], on="surface", band=True)
    inside = make_line(sheet, [("a", style)], on="surface")
    assert all(segment.style and segment.style.bgcolor == ground for segment in band.strip)
    edges = [segment.style.bgcolor == ground for segment in inside.strip if segment.style]
    assert edges == [False, True, True, False]


def test_prose_is_at_most_110_columns_wide() -> None:
    assert page(300).prose_width == 110
    assert page(60).prose_width == page(60).text_width == 55
    assert Page(page().theme, 5).text_width >= 8


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
    ],
)
def test_cut(text: str, width: int, shown: str) -> None:
    assert cut(text, width) == shown
    assert width_of(cut(text, width)) <= width


def test_take_never_splits_a_mark_from_its_letter() -> None:
    assert take("e\u0301" * 5, 3) == "e\u0301" * 3


def test_cut_spans_keeps_styles() -> None:
    bold, plain = page().theme.style("strong", bold=True), page().theme.style("text")
    assert cut_spans([("ab", bold), ("cdef", plain)], 4) == [("ab", bold), ("c…", plain)]


def test_join_facts() -> None:
    style = page().theme.style("muted")
    joined = join_facts([[("a", style)], [], [("b", style)]], ("   ", style))
    assert "".join(text for text, _ in joined) == "a   b" and spans_width(joined) == 5
