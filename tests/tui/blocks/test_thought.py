from __future__ import annotations

import pytest

from agent_tui.tui.blocks.drawing import View, render_block
from agent_tui.view.blocks import ThoughtBlock
from tests.fakes.conversation_host import page, texts


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (ThoughtBlock("t", "hm", 6.0), " ▸ Thought for 6 s"),
        (ThoughtBlock("t", "hm", 6.4), " ▸ Thought for 6.4 s"),
        (ThoughtBlock("t", "hm", 75), " ▸ Thought for 1:15"),
        (ThoughtBlock("t", "hm"), " ▸ Thought"),
        (ThoughtBlock("t", "hm", open=True), " ◐ Thinking"),
    ],
)
def test_one_muted_italic_line(block: ThoughtBlock, said: str) -> None:
    (row,) = render_block(block, page(60))
    assert texts([row]) == [said]
    words = next(s for s in row.strip if "Th" in s.text)
    assert words.style == page().theme.style("muted", italic=True)


def test_u1_expanded_it_shows_the_thinking_as_text() -> None:
    rows = render_block(
        ThoughtBlock("t", "use [/] **as it is**\nand more", 6.0), page(60), View(expanded=True)
    )
    assert texts(rows) == [" ▾ Thought for 6 s", "   use [/] **as it is**", "   and more"]


def test_a_hidden_thought_has_nothing_to_unfold() -> None:
    (row,) = render_block(ThoughtBlock("t", "", 6.0), page(60), View(expanded=True))
    assert not row.folds
