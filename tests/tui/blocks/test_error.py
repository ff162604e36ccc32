from __future__ import annotations

from agent_tui.tui.blocks.drawing import render_block
from agent_tui.view.blocks import ErrorBlock
from tests.fakes.conversation_host import page, texts


def test_what_went_wrong_and_which_kind_it_was() -> None:
    rows = texts(
        render_block(ErrorBlock("e", "The API is overloaded.\nTry later.", "rate_limit"), page(60))
    )
    assert rows == [" ✗ The API is overloaded.                       rate limit", "   Try later."]
    assert texts(render_block(ErrorBlock("e", "Odd."), page(60))) == [" ✗ Odd."]
