from __future__ import annotations

from tests.tui.recorder import run


def test_it_goes_on_in_a_copy_perhaps_under_another_title() -> None:
    assert run("/fork").done == ["fork"]
    assert run("/branch  a try ").done == ["fork a try"]
