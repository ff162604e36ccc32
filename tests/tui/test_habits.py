from __future__ import annotations

from agent_tui.settings.keybindings import SourcedKeys
from agent_tui.settings.positions import Written
from agent_tui.tui.bindings import USUAL
from agent_tui.tui.habits import Habits, habits_of


def test_nothing_said_is_as_usual() -> None:
    assert habits_of((), None) == Habits(USUAL, vim=False)
    assert habits_of((), "normal") == Habits(USUAL, vim=False)


def test_what_the_settings_say() -> None:
    keys = SourcedKeys({"screen:tasks": "f2", "x": "y"}, Written("s.json"))
    habits = habits_of((keys,), "vim")
    assert habits.vim
    assert habits.keys.keys["screen:tasks"] == ("f2",)
    assert len(habits.problems) == 1
