from __future__ import annotations

import pytest

from agent_tui.tui.output import fold_row, last_state, output_rows
from tests.fakes.conversation_host import page, texts


@pytest.mark.parametrize(
    ("line", "shown"),
    [("10%\r20%\r30%", "30%"), ("done\r", "done"), ("plain", "plain"), ("\r", "")],
)
def test_a_line_that_was_written_over_shows_its_last_state(line: str, shown: str) -> None:
    assert last_state(line) == shown


def test_output_stands_at_the_texts_edge_and_wraps() -> None:
    rows = output_rows(page(40), ["a" * 40, "b"])
    assert texts(rows) == ["   " + "a" * 35, "   " + "a" * 5, "   b"]


def test_a_fold_says_how_much_there_is_and_copies_as_nothing() -> None:
    row = fold_row(page(40), "48 more lines")
    assert texts([row]) == ["   ▸ 48 more lines"]
    assert row.content == "" and row.folds
