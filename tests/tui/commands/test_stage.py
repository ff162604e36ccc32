from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent_tui.tui import commands
from agent_tui.tui.commands.stage import Stage, find_command, screen_commands


@dataclass
class Recorder(Stage):
    """Keeps what commands do."""

    done: list[str] = field(default_factory=list[str])
    theme: str = "dark"
    said: tuple[str, ...] = ("first answer", "second\nanswer")

    def show_help(self) -> None:
        self.done.append("help")

    def show_sessions(self) -> None:
        self.done.append("sessions")

    def resume(self, session_id: str) -> None:
        self.done.append(f"resume {session_id}")

    def theme_names(self) -> tuple[str, ...]:
        return ("dark", "light")

    def use_theme(self, name: str) -> None:
        self.theme = name

    def current_theme(self) -> str:
        return self.theme

    def answers(self) -> tuple[str, ...]:
        return self.said

    def copy(self, text: str) -> None:
        self.done.append(f"copy {text}")

    def say(self, text: str, *, error: bool = False) -> None:
        self.done.append(f"{'error' if error else 'say'} {text}")

    def leave(self) -> None:
        self.done.append("leave")


def run(text: str) -> Recorder:
    stage = Recorder()
    found = find_command(text)
    assert found is not None
    command, argument = found
    command.runner.run(stage, argument)
    return stage


def test_the_folder_is_the_list_and_every_command_says_what_it_does() -> None:
    folder = Path(commands.__path__[0])
    files = {p.stem for p in folder.glob("*.py")} - {"__init__", "stage"}
    assert set(screen_commands()) == files == {"help", "theme", "copy", "exit", "resume"}
    for name, command in screen_commands().items():
        tree = ast.parse((folder / f"{name}.py").read_text())
        assert [n.name for n in tree.body if isinstance(n, ast.FunctionDef)] == ["run"]
        assert command.summary


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("/help", ["help"]),
        ("/exit", ["leave"]),
        ("/quit", ["leave"]),
        ("/resume", ["sessions"]),
        ("/continue abc ", ["resume abc"]),
        ("/copy", ["copy second\nanswer", "say Copied 2 lines."]),
        ("/copy 2", ["copy first answer", "say Copied 1 line."]),
    ],
)
def test_what_each_does(text: str, done: list[str]) -> None:
    assert run(text).done == done


@pytest.mark.parametrize("text", ["/copy 3", "/copy 0", "/copy all", "/theme pink"])
def test_what_can_not_be_done_is_said(text: str) -> None:
    (said,) = run(text).done
    assert said.startswith("error ")


def test_theme_switches_or_lists() -> None:
    assert run("/theme light").theme == "light"
    assert run("/theme").done == ["say The theme is dark. Others: light."]


@pytest.mark.parametrize("text", ["help", "/helpme", "/compact", " /help", "/", ""])
def test_what_is_no_command_of_the_screen(text: str) -> None:
    assert find_command(text) is None
