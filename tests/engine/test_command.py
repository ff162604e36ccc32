"""The list of the engine's commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine import commands
from agent_tui.engine.command import ALIASES, SCREEN, command, infos, names, unknown
from agent_tui.tui.commands.stage import screen_commands


def test_the_folder_is_the_list() -> None:
    folder = Path(commands.__path__[0])
    files = {path.stem.replace("_", "-") for path in folder.glob("*.py")} - {"--init--"}
    assert set(names()) == files
    assert list(names()) == sorted(files)
    assert {"add-dir", "clear", "compact", "cost", "doctor", "model", "status"} <= files


def test_each_has_a_class_whose_docstring_is_its_help() -> None:
    for info in infos():
        assert info.summary.endswith(".")
        assert not info.summary.startswith("/")
        found = command(info.name)
        assert found is not None
        assert found.hint == info.hint
    by_name = {info.name: info for info in infos()}
    assert by_name["clear"].aliases == ("new", "reset")
    assert by_name["model"].hint == "[model]"


def test_an_alias_is_the_command_it_stands_for() -> None:
    for alias, name in ALIASES.items():
        assert type(command(alias)) is type(command(name))
    assert command("frobnicate") is None
    assert command("__init__") is None


def test_what_the_screen_does_is_not_the_engines_and_known_as_such() -> None:
    theirs = {word for each in screen_commands().values() for word in (each.name, *each.aliases)}
    assert theirs == SCREEN
    assert not SCREEN & {*names(), *ALIASES}


@pytest.mark.parametrize(
    ("typed", "meant"), [("compcat", "compact"), ("CLAER", "clear"), ("usge", "usage")]
)
def test_an_unknown_name_is_answered_with_the_nearest(typed: str, meant: str) -> None:
    assert unknown(typed) == f"There is no command /{typed}. Did you mean /{meant}?"


def test_where_nothing_is_near_none_is_offered() -> None:
    assert unknown("zzz") == "There is no command /zzz. Type / to see the commands."
    assert unknown("resume") == "/resume works on the screen only."
