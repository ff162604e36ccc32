from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.settings.keybindings import SourcedKeys
from agent_tui.settings.positions import Written
from agent_tui.tui.bindings import USUAL, Keymap, read_bindings, read_key, shown
from agent_tui.tui.keys import ACTIONS


def said(keys: Any, name: str = "settings.json") -> SourcedKeys:
    """Make a file of ours that says so, a line for each action from the second one on."""
    text = json.dumps({"keybindings": keys}, indent=0)
    return SourcedKeys(keys, Written(name, text))


def read(keys: Any) -> tuple[Keymap, tuple[str, ...]]:
    return read_bindings([said(keys)])


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("ctrl+e", "ctrl+e"),
        ("Ctrl-e", "ctrl+e"),
        ("ctrl+E", "ctrl+shift+e"),
        ("ctrl+alt+x", "alt+ctrl+x"),
        ("Option+F", "alt+shift+f"),
        ("alt+f", "alt+f"),
        ("esc", "escape"),
        ("PgUp", "pageup"),
        ("shift+Tab", "shift+tab"),
        ("F5", "f5"),
        ("?", "question_mark"),
        ("ctrl+_", "ctrl+underscore"),
        ("ctrl+-", "ctrl+minus"),
        ("ctrl+/", "ctrl+slash"),
        ("ctrl+\\", "ctrl+backslash"),
        ("control+enter", "ctrl+enter"),
        ("ctrl++", "ctrl+plus"),
    ],
)
def test_keys_as_people_write_them(written: str, key: str) -> None:
    assert read_key(written) == key


@pytest.mark.parametrize(
    "written", ["", "ctrl+", "hyperspace", "ctrl+foo", "foo+a", "ctrl+x ctrl+e"]
)
def test_what_is_no_key(written: str) -> None:
    with pytest.raises(ValueError, match=r"no key|more than one"):
        read_key(written)


def test_keys_are_shown_as_hints_write_them() -> None:
    keys = ["escape", "question_mark", "ctrl+underscore", "alt+f", "f5", "pageup"]
    assert list(map(shown, keys)) == ["esc", "?", "ctrl+_", "alt+f", "f5", "pageup"]


def test_without_settings_the_usual_keys_count() -> None:
    keymap, problems = read_bindings([])
    assert (keymap, problems) == (USUAL, ())
    assert keymap.action("ctrl+r", "prompt", "edit") == "prompt:searchHistory"
    assert keymap.action("ctrl+r", "edit", "screen") == ""


def test_an_action_gets_another_key_and_loses_its_usual_ones() -> None:
    keymap, problems = read({"screen:tasks": "f7"})
    assert problems == ()
    assert keymap.action("f7", "screen") == "screen:tasks"
    assert keymap.action("ctrl+t", "screen") == ""
    assert keymap.label("screen:tasks") == "f7"


def test_several_keys_and_none() -> None:
    keymap, problems = read({"screen:tasks": ["f7", "alt+t"], "screen:stash": None})
    assert problems == ()
    assert keymap.keys["screen:tasks"] == ("f7", "alt+t")
    assert keymap.keys["screen:stash"] == ()
    assert keymap.told("{screen:stash} and {screen:tasks*}") == "no key and f7  alt+t"


def test_the_help_names_the_keys_in_use() -> None:
    keymap, _ = read({"screen:tasks": "f7"})
    rows = {keys: what for _title, entries in keymap.help() for keys, what in entries}
    assert rows["f7"].startswith("tasks")
    assert "ctrl+t" not in rows


def test_two_actions_with_one_key_are_told_with_file_and_line() -> None:
    keymap, problems = read({"screen:tasks": "f7", "screen:stash": "f7"})
    assert problems == (
        "settings.json:4: screen:stash: f7 already means screen:tasks (settings.json:3); it stays so.",
    )
    assert keymap.action("f7", "screen") == "screen:tasks"


def test_a_key_taken_from_another_action_is_told_unless_that_is_named_too() -> None:
    keymap, problems = read({"screen:tasks": "ctrl+e"})
    assert problems == (
        "settings.json:3: screen:tasks: ctrl+e usually means edit:lineEnd, which is left with end. "
        "Name edit:lineEnd, too, to have it as you want.",
    )
    assert keymap.action("ctrl+e", "edit") == ""
    assert keymap.action("ctrl+e", "screen") == "screen:tasks"
    _, silent = read({"screen:tasks": "ctrl+e", "edit:lineEnd": "end"})
    assert silent == ()


def test_places_with_a_time_of_their_own_do_not_disturb_the_others() -> None:
    _, problems = read({"list:take": "ctrl+t", "search:older": "ctrl+a"})
    assert problems == ()


def test_a_later_file_counts_more() -> None:
    keymap, problems = read_bindings(
        [said({"screen:tasks": "f7"}, "a.json"), said({"screen:tasks": "f4"}, "b.json")]
    )
    assert (keymap.keys["screen:tasks"], problems) == (("f4",), ())


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"screen:taks": "f7"}, "did you mean screen:tasks?"),
        ({"nonsense": "f7"}, "there is no action 'nonsense'; the README lists them."),
        ({"screen:tasks": "f99"}, "there is no key 'f99'"),
        ({"screen:tasks": 7}, "it takes a key, a list of keys, or null"),
        ({"screen:tasks": "ctrl+i"}, "a terminal sends tab for 'ctrl+i'"),
        ({"screen:tasks": "ctrl+c"}, "always stops what runs"),
        ({"screen:tasks": "escape"}, "always stops what runs"),
        ({"screen:tasks": "t"}, "could not be typed any more"),
        ({"edit:left": "?"}, "could not be typed any more"),
        ({"screen:tasks": "ctrl+x ctrl+k"}, "is more than one key"),
        (["ctrl+t"], "must be an object of actions"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_the_usual_key_stays(keys: Any, words: str) -> None:
    keymap, problems = read(keys)
    assert len(problems) == 1
    assert problems[0].startswith("settings.json:")
    assert words in problems[0]
    assert keymap.keys["screen:tasks"] == ("ctrl+t",)


def test_there_is_always_a_way_to_stop_and_to_send() -> None:
    keymap, _ = read({"screen:interrupt": "f9", "edit:submit": None})
    assert keymap.keys["screen:interrupt"] == ("f9", "ctrl+c")
    assert keymap.keys["edit:submit"] == ("enter",)
    keymap, _ = read({"edit:newLine": "enter", "edit:submit": "alt+enter"})
    assert keymap.action("alt+enter", "edit") == "edit:submit"
    assert keymap.action("enter", "edit") == "edit:newLine"


def test_every_action_can_be_named() -> None:
    for action in ACTIONS:
        keymap, problems = read({action.name: list(action.keys)})
        assert (keymap, problems) == (USUAL, ()), action.name
