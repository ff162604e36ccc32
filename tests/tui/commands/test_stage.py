from __future__ import annotations

import ast
from pathlib import Path

import pytest

from agent_tui.engine.command import ALIASES, names
from agent_tui.tui import commands
from agent_tui.tui.commands.stage import SHOWN, TAKEN, find_command, screen_commands
from tests.tui.recorder import run


def test_the_folder_is_the_list_and_every_command_says_what_it_does() -> None:
    folder = Path(commands.__path__[0])
    files = {p.stem for p in folder.glob("*.py")} - {"__init__", "stage"}
    assert set(screen_commands()) == files
    assert {"copy", "exit", "fork", "help", "resume", "tasks", "theme"} <= files
    for name, command in screen_commands().items():
        tree = ast.parse((folder / f"{name}.py").read_text())
        assert [n.name for n in tree.body if isinstance(n, ast.FunctionDef)] == ["run"]
        assert command.summary


@pytest.mark.parametrize("text", ["help", "/helpme", "/compact", " /help", "/", ""])
def test_what_is_no_command_of_the_screen(text: str) -> None:
    assert find_command(text) is None


def test_a_command_of_the_engine_may_have_a_screen_where_nothing_follows_it() -> None:
    known = {*names(), *ALIASES}
    assert set(SHOWN) <= known
    assert find_command("/permissions") == (SHOWN["permissions"], "")
    assert find_command("/permissions git push") is None
    assert "permissions" not in screen_commands()


@pytest.mark.parametrize("name", SHOWN)
def test_each_of_them_opens_a_screen(name: str) -> None:
    assert len(run(f"/{name}").done) == 1


def test_a_side_question_is_asked_by_the_screen_itself() -> None:
    assert set(TAKEN) <= set(names())
    assert run("/btw why? ").done == ["aside why?"]
    assert find_command("/btw") is None
