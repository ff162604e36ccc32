from __future__ import annotations

from agent_tui.tui.blocks.answer import Document
from agent_tui.tui.blocks.drawing import render_block
from agent_tui.view.blocks import AnswerBlock
from tests.fakes.conversation_host import ANSWER, page, texts


def test_markdown_with_a_row_between_blocks() -> None:
    rows = texts(render_block(AnswerBlock("a", ANSWER), page(120)))
    assert rows[0].startswith("   httpx 0.28") and rows[1] == ""
    assert (
        rows[2]
        == "   Caller                Gets today              Should get                    Tests"
    )
    assert rows[9].rstrip().endswith("python") and len(rows) == 11


def test_each_section_knows_its_source() -> None:
    drawn = render_block(AnswerBlock("a", "one\n\n- two\n- three\n\n```\nx\n```"), page(80))
    assert isinstance(drawn, Document)
    assert drawn.sections == [
        (0, 1, "one"),
        (2, 3, "- two"),
        (3, 4, "- three"),
        (5, 6, "```\nx\n```"),
    ]
