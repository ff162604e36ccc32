from __future__ import annotations

from tests.tui.recorder import run


def test_it_switches() -> None:
    assert run("/theme light").theme == "light"


def test_without_a_name_there_is_a_list_to_choose_from() -> None:
    assert run("/theme").done == ["themes"]


def test_auto_is_a_theme_too() -> None:
    assert run("/theme auto").theme == "auto"


def test_an_unknown_one_is_said() -> None:
    stage = run("/theme pink")
    assert stage.theme == "dark"
    assert stage.done == ["error There is no theme 'pink'; there are auto, dark, light."]
