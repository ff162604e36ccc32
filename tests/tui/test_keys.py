from __future__ import annotations

from agent_tui.tui.keys import EDITING, HELP, NEW_LINE, SCREEN
from agent_tui.tui.screens.pressing import ACTIONS


def test_no_key_means_two_things() -> None:
    assert not EDITING.keys() & SCREEN.keys()
    assert not NEW_LINE & (EDITING.keys() | SCREEN.keys())


def test_every_key_of_the_screen_does_something() -> None:
    assert set(SCREEN.values()) == set(ACTIONS)


def test_the_help_names_keys_that_exist() -> None:
    known = EDITING.keys() | SCREEN.keys() | NEW_LINE
    for _title, entries in HELP:
        for keys, _what in entries:
            for key in keys.split("  "):
                if key.startswith("ctrl+") and key not in ("ctrl+r", "ctrl+_", "ctrl+d"):
                    assert key in known, key
