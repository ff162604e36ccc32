from __future__ import annotations

import pytest

from agent_tui.protocol.display import SearchDisplay
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page, texts


@pytest.mark.parametrize(
    ("display", "said"),
    [
        (SearchDisplay("refresh", matches=14, files=5), '"refresh" 14 in 5 files'),
        (SearchDisplay("x", "/w/src", matches=0, files=0), '"x" in src nothing'),
        (SearchDisplay("**/*.py", files=1), '"**/*.py" 1 file'),
        (SearchDisplay("**/*.py", files=100, truncated=True), '"**/*.py" 100+ files'),
        (SearchDisplay("x", matches=1), '"x" 1 match'),
        (SearchDisplay("x", "/w"), '"x"'),
    ],
)
def test_pattern_place_and_counts(display: SearchDisplay, said: str) -> None:
    assert "".join(text for text, _ in render_head(display, page(80)).argument) == said


def test_places_are_shown_when_expanded() -> None:
    display = SearchDisplay("x", lines=("a.py:1:x", "b.py:2:x"))
    assert render_display(display, page(80)) == ()
    assert texts(render_display(display, page(80), Options(expanded=True))) == [
        "   a.py:1:x",
        "   b.py:2:x",
    ]
