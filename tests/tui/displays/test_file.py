from __future__ import annotations

import pytest

from agent_tui.protocol.display import FileDisplay
from agent_tui.tui.displays.drawing import render_display, render_head
from tests.fakes.conversation_host import page


@pytest.mark.parametrize(
    ("display", "said"),
    [
        (FileDisplay("/w/src/a.py"), "src/a.py"),
        (FileDisplay("/w/src/a.py", 1, 220), "src/a.py 1–220"),
        (FileDisplay("/h/a.png", 3, 3, note="a picture"), "~/a.png 3 a picture"),
        (FileDisplay("/w/" + "long/" * 30 + "name.py"), None),
    ],
)
def test_path_and_lines(display: FileDisplay, said: str | None) -> None:
    head = render_head(display, page(80))
    text = "".join(text for text, _ in head.argument)
    if said is None:
        assert text.endswith("…/name.py") and len(text) <= 50
    else:
        assert text == said
    assert render_display(display, page(80)) == ()
