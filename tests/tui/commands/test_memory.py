from __future__ import annotations

from tests.tui.recorder import run


def test_it_opens_the_screen() -> None:
    assert run("/memory").done == ["memory"]
