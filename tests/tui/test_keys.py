from __future__ import annotations

from collections import Counter

from agent_tui.tui.bindings import USUAL, read_key, shown
from agent_tui.tui.keys import ACTIONS, EDITING, PLACES, TOGETHER
from agent_tui.tui.screens.pressing import ACTIONS as PRESSED


def test_no_key_means_two_things_at_once() -> None:
    counted = Counter(
        ("together" if action.place in TOGETHER else action.place, key)
        for action in ACTIONS
        for key in action.keys
    )
    assert [key for key, count in counted.items() if count > 1] == []


def test_every_action_has_a_name_of_its_own_and_words() -> None:
    names = [action.name for action in ACTIONS]
    assert len(set(names)) == len(names)
    assert all(action.does and action.place in PLACES for action in ACTIONS)


def test_every_action_of_the_screen_is_done() -> None:
    assert {action.name for action in ACTIONS if action.place == "screen"} == set(PRESSED)


def test_what_is_done_to_an_editor_is_an_action() -> None:
    assert set(EDITING) <= {action.name for action in ACTIONS if action.place == "edit"}


def test_keys_are_written_as_the_terminal_gives_them() -> None:
    assert [key for action in ACTIONS for key in action.keys if read_key(shown(key)) != key] == []


def test_the_help_names_actions_that_exist() -> None:
    said = " ".join(keys + what for _title, rows in USUAL.help() for keys, what in rows)
    assert "{" not in said
    assert "no key" not in said
