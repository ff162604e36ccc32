"""What a screen command may do, and finding one by name."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from agent_tui.tui import commands


class Stage(Protocol):
    """The main screen, as commands see it."""

    def show_help(self) -> None:
        """Open the help screen."""
        ...

    def show_sessions(self) -> None:
        """Open the session picker."""
        ...

    def show_tasks(self) -> None:
        """Open the tasks screen."""
        ...

    def show_permissions(self) -> None:
        """Open the permissions screen."""
        ...

    def show_context(self) -> None:
        """Open the screen that shows what fills the window."""
        ...

    def show_cost(self) -> None:
        """Open the screen that shows what was spent."""
        ...

    def show_review(self) -> None:
        """Open the review screen."""
        ...

    def show_rewind(self) -> None:
        """Open the rewind screen."""
        ...

    def show_memory(self) -> None:
        """Open the screen of the memory files."""
        ...

    def toggle_vim(self) -> bool:
        """Edit the prompt as in Vim, or no longer; tell whether it is now."""
        ...

    def stop_task(self, task_id: str) -> None:
        """End what runs in the background under this id, or begins with it."""
        ...

    def resume(self, session_id: str) -> None:
        """Go on with another session."""
        ...

    def fork(self, title: str = "") -> None:
        """Go on in a copy of this session."""
        ...

    def show_themes(self) -> None:
        """Open the list of themes."""
        ...

    def show_config(self) -> None:
        """Open the settings screen."""
        ...

    def show_models(self) -> None:
        """Open the list of models."""
        ...

    def show_servers(self) -> None:
        """Open the list of MCP servers."""
        ...

    def ask_aside(self, question: str) -> None:
        """Ask a side question, and show the answer."""
        ...

    def theme_names(self) -> tuple[str, ...]:
        """Name the themes there are."""
        ...

    def keep_theme(self, name: str) -> None:
        """Use a theme that there is, or ``auto``, from now on."""
        ...

    def answers(self) -> tuple[str, ...]:
        """Give the model's answers of this conversation as source text, oldest first."""
        ...

    def copy(self, text: str) -> None:
        """Put a text into the clipboard."""
        ...

    def say(self, text: str, *, error: bool = False) -> None:
        """Show a line in the conversation."""
        ...

    def leave(self) -> None:
        """End the program."""
        ...


class Runner(Protocol):
    """A command's module."""

    def run(self, stage: Stage, argument: str) -> None:
        """Do it."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A screen command: its name without slash, one sentence, how its argument is written, other names."""

    name: str
    summary: str
    argument: str
    aliases: tuple[str, ...]
    runner: Runner


@cache
def screen_commands() -> Mapping[str, Command]:
    """Give the commands by name."""
    found: dict[str, Command] = {}
    for info in pkgutil.iter_modules(commands.__path__):
        if info.name == "stage":
            continue
        module = import_module(f"{commands.__name__}.{info.name}")
        summary = (module.__doc__ or "").strip().partition("\n")[0].rstrip(".").replace("``", "")
        words = vars(module)
        found[info.name] = Command(
            info.name,
            summary,
            str(words.get("ARGUMENT", "")),
            tuple(words.get("ALIASES", ())),
            cast("Runner", module),
        )
    return found


def find_command(text: str) -> tuple[Command, str] | None:
    """Give the screen command a prompt calls, and its argument; None when it calls none."""
    if not text.startswith("/"):
        return None
    name, _, argument = text[1:].strip().partition(" ")
    for command in screen_commands().values():
        if name == command.name or name in command.aliases:
            return command, argument.strip()
    argument = argument.strip()
    found = TAKEN.get(name) if argument else SHOWN.get(name)
    return None if found is None else (found, argument)


@dataclass(frozen=True, slots=True)
class _Shows:
    """Opens a screen."""

    show: Callable[[Stage], None]

    def run(self, stage: Stage, argument: str) -> None:
        """Open it."""
        self.show(stage)


class _Asks:
    """Asks a side question without waiting for the run that goes."""

    def run(self, stage: Stage, argument: str) -> None:
        """Ask it."""
        stage.ask_aside(argument)


_SCREENS: Mapping[str, Callable[[Stage], None]] = {
    "checkpoint": lambda stage: stage.show_rewind(),
    "config": lambda stage: stage.show_config(),
    "context": lambda stage: stage.show_context(),
    "cost": lambda stage: stage.show_cost(),
    "diff": lambda stage: stage.show_review(),
    "mcp": lambda stage: stage.show_servers(),
    "model": lambda stage: stage.show_models(),
    "permissions": lambda stage: stage.show_permissions(),
    "rewind": lambda stage: stage.show_rewind(),
    "settings": lambda stage: stage.show_config(),
    "undo": lambda stage: stage.show_rewind(),
    "usage": lambda stage: stage.show_cost(),
}
SHOWN: Mapping[str, Command] = {
    name: Command(name, "", "", (), _Shows(show)) for name, show in _SCREENS.items()
}
"""Commands of the engine that have a screen here, where nothing follows their name."""

TAKEN: Mapping[str, Command] = {"btw": Command("btw", "", "", (), _Asks())}
"""Commands of the engine that are carried out here where something follows their name."""
