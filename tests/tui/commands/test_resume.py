from __future__ import annotations

from tests.tui.recorder import run


def test_without_a_name_the_picker_opens() -> None:
    assert run("/resume").done == ["sessions"]


def test_with_a_name_that_session_is_opened() -> None:
    assert run("/continue abc ").done == ["resume abc"]
