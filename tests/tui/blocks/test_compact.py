from __future__ import annotations

from agent_tui.tui.blocks.drawing import View, render_block
from agent_tui.view.blocks import CompactBlock
from tests.fakes.conversation_host import page, texts


def test_one_line_and_the_summary_when_expanded() -> None:
    block = CompactBlock("c", "manual", 985_000, 14_000, "# All\n\nof *it*")
    (row,) = texts(render_block(block, page(80)))
    assert row.startswith(" ▸ Summarised the conversation ") and row.endswith("985k to 14.0k tok")
    rows = texts(render_block(block, page(80), View(expanded=True)))
    assert rows[0].startswith(" ▾") and rows[1:] == ["   All", "", "   of it"]


def test_why_when_nobody_asked_for_it() -> None:
    (row,) = texts(render_block(CompactBlock("c"), page(80)))
    assert row == "   Summarised the conversation because the window was nearly full"
