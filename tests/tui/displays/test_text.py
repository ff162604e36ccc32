from __future__ import annotations

from agent_tui.protocol.display import TextDisplay
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page, texts


def test_some_lines_and_how_much_more() -> None:
    display = TextDisplay("what", "\n" + "\n".join(f"line {n}" for n in range(9)))
    assert "".join(t for t, _ in render_head(display, page()).argument) == "what"
    assert texts(render_display(display, page())) == [
        "   line 0",
        "   line 1",
        "   line 2",
        "   ▸ 6 more lines",
    ]
    assert len(render_display(display, page(), Options(expanded=True))) == 9
    assert len(render_display(display, page(), Options(max_rows=5))) == 6


def test_one_line_more_is_not_folded_away_and_no_text_is_no_rows() -> None:
    assert len(render_display(TextDisplay("", "a\nb\nc\nd"), page())) == 4
    assert len(render_display(TextDisplay("x"), page())) == 0
    assert render_head(TextDisplay(), page()).argument == ()
