from __future__ import annotations

from agent_tui.protocol.display import UnknownDisplay
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page, texts


def test_a_kind_from_the_future_is_shown_as_text() -> None:
    display = UnknownDisplay("sparkline", {"points": [1, 2], "of": "load"})
    assert "".join(t for t, _ in render_head(display, page()).argument) == "sparkline"
    rows = texts(render_display(display, page(), Options(expanded=True)))
    assert '     "of": "load"' in rows


def test_its_own_title_and_text_are_used() -> None:
    display = UnknownDisplay("command", {"title": "T", "text": "one\ntwo"})
    assert "".join(t for t, _ in render_head(display, page()).argument) == "T"
    assert texts(render_display(display, page())) == [
        "   one",
        "   two",
    ]
