from __future__ import annotations

from agent_tui.tui.blocks.drawing import render_block
from agent_tui.view.blocks import ResultBlock
from tests.fakes.conversation_host import page, texts


def test_facts_at_the_right_edge_that_are_not_copied() -> None:
    (row,) = render_block(ResultBlock("r", 4, 8100, 0.0312, 41_000), page(60))
    assert texts([row]) == [" " * 23 + "4 turns   8.1k tok   $0.0312   41 s"]
    assert row.content == ""


def test_an_unknown_cost_is_left_out() -> None:
    (row,) = render_block(ResultBlock("r", 1, 999, None, 1000), page(60))
    assert texts([row])[0].strip() == "1 turn   999 tok   1.0 s"


def test_why_it_ended() -> None:
    block = ResultBlock(
        "r", 3, 999, None, 1000, "error_max_turns", "Ended at the limit of 3 turns."
    )
    assert texts(render_block(block, page(80)))[0].startswith(" ✗ Ended at the limit of 3 turns.")
    narrow = texts(render_block(block, page(40)))
    assert narrow == [" ✗ Ended at the limit of 3 turns.", " " * 13 + "3 turns   999 tok   1.0 s"]
