from __future__ import annotations

from tests.tui.recorder import run


def test_it_switches() -> None:
    assert run("/theme light").theme == "light"


def test_without_a_name_it_lists() -> None:
    assert run("/theme").done == ["say The theme is dark. Others: light."]


def test_an_unknown_one_is_said() -> None:
    stage = run("/theme pink")
    assert stage.theme == "dark"
    assert stage.done == ["error There is no theme 'pink'; there are dark, light."]
