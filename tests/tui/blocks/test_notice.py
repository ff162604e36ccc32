from __future__ import annotations

import pytest

from agent_tui.tui.blocks.drawing import View, render_block
from agent_tui.view.blocks import NoticeBlock
from tests.fakes.conversation_host import page, texts


@pytest.mark.parametrize(
    ("level", "glyph"),
    [("info", " "), ("suggestion", " "), ("warning", "!"), ("error", "✗"), ("stopped", "⊘")],
)
def test_a_glyph_where_it_is_more_than_a_remark(level: str, glyph: str) -> None:
    block = NoticeBlock("n", level, "It was so.")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert texts(render_block(block, page(60))) == [f" {glyph} It was so."]


def test_a_commands_output_keeps_its_columns() -> None:
    rows = render_block(NoticeBlock("n", "output", "a    b\n  c\td"), page(60))
    assert texts(rows) == ["   a    b", "     c d"]


def test_long_ones_are_folded() -> None:
    block = NoticeBlock("n", "info", "\n".join("abcdefgh"))
    assert texts(render_block(block, page(60)))[-1] == "   ▸ 4 more lines"
    assert len(render_block(block, page(60), View(expanded=True))) == 8
