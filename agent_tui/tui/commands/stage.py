"""What a screen command may do, and finding one by name."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
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

    def show_memory(self) -> None:
        """Open the screen of the memory files."""
        ...

    def toggle_vim(self) -> bool:
        """Edit the prompt as in Vim, or no longer; tell whether it is now."""
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

    def stop_task(self, task_id: str) -> None:
        """End what runs in the background under this id, or begins with it."""
        ...

    def resume(self, session_id: str) -> None:
        """Go on with another session."""
        ...

    def theme_names(self) -> tuple[str, ...]:
        """Name the themes there are."""
        ...

    def use_theme(self, name: str) -> None:
        """Switch to a theme that there is."""
        ...

    def current_theme(self) -> str:
        """Name the theme in use."""
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
        summary = (module.__doc__ or "").strip().partition("\n")[0].rstrip(".")
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
    shown = SHOWN.get(name) if not argument.strip() else None
    return None if shown is None else (shown, "")


class _ShowsPermissions:
    def run(self, stage: Stage, argument: str) -> None:
        """Open the screen."""
        stage.show_permissions()


class _ShowsContext:
    def run(self, stage: Stage, argument: str) -> None:
        """Open the screen."""
        stage.show_context()


class _ShowsCost:
    def run(self, stage: Stage, argument: str) -> None:
        """Open the screen."""
        stage.show_cost()


class _ShowsReview:
    def run(self, stage: Stage, argument: str) -> None:
        """Open the screen."""
        stage.show_review()


class _ShowsRewind:
    def run(self, stage: Stage, argument: str) -> None:
        """Open the screen."""
        stage.show_rewind()


_REWIND = Command("rewind", "", "", (), _ShowsRewind())
SHOWN: Mapping[str, Command] = {
    "diff": Command("diff", "", "", (), _ShowsReview()),
    "rewind": _REWIND,
    "undo": _REWIND,
    "checkpoint": _REWIND,
    "permissions": Command("permissions", "", "", (), _ShowsPermissions()),
    "context": Command("context", "", "", (), _ShowsContext()),
    "cost": Command("cost", "", "", (), _ShowsCost()),
    "usage": Command("usage", "", "", (), _ShowsCost()),
}
"""Commands of the engine that have a screen here, where nothing follows their name."""
