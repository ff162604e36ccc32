from __future__ import annotations

import pytest

from agent_tui.tui.coderows import CodeRows, code_rows
from agent_tui.tui.highlight import Code, code_of
from tests.fakes.conversation_host import page, texts

LINES = ["if x:", "\treturn 'é'", "y" * 100, "", "日本語" * 20]


def test_rows_of_code_with_its_language_at_the_right() -> None:
    rows = code_rows(page(60), LINES[:2], language="python")
    assert texts(rows) == ["     if x:" + " " * 41 + "python", "         return 'é'"]
    assert [line.source for line in rows] == LINES[:2]


def test_there_is_no_label_where_there_is_no_room() -> None:
    (row, *_) = code_rows(page(40), ["x" * 30], language="python")
    assert "python" not in row.strip.text


@pytest.mark.parametrize("width", [30, 60, 120])
def test_the_number_of_rows_is_known_before_they_are_made(width: int) -> None:
    rows = code_rows(page(width), LINES)
    assert len(list(rows)) == len(rows)
    assert all(line.strip.cell_length == width for line in rows)
    copied = "".join(
        (line.source or "") + ("\n" if line.glue is None else line.glue) for line in rows
    )
    assert copied == "\n".join(LINES) + "\n"


def test_code_grows_at_its_end_and_keeps_the_rows_it_has() -> None:
    sheet = page(40)
    grown = CodeRows(sheet, code_of(["a = 1"], language="python"), ["a = 1"], label="python")
    first = grown[0]
    grown.extend(["b = "])
    assert texts(grown)[1] == "     b ="
    grown.replace_last("b = 22")
    grown.extend(["c" * 60])
    assert grown[0] is first
    assert texts(grown) == texts(code_rows(sheet, ["a = 1", "b = 22", "c" * 60], language="python"))
    grown.drop_last()
    assert len(grown) == 2 and grown[-1].content == "b = 22"
    with pytest.raises(IndexError):
        grown[2]


def test_plain_output_has_no_band() -> None:
    sheet = page(40)
    (row,) = CodeRows(sheet, Code(None, ["out"]), ["out"], on="bg", inset=0)
    assert row.strip.text.startswith("   out")
    ground = sheet.theme.roles["bg"].bgcolor
    assert all(segment.style and segment.style.bgcolor == ground for segment in row.strip)


def test_u2_code_is_cleaned() -> None:
    (row,) = code_rows(page(40), ["a\x1b[31mb\x07"])
    assert row.content == "ab\u2407"
