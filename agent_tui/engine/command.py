"""What a slash command is, and how the folder of them is found.

A command is a module in ``engine/commands/`` with one class ``Command``; its docstring is its help, its name the
module's. Names are listed without importing; a module is imported when its command is run or its help is wanted.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol, cast

from agent_tui.engine.explaining import Explaining
from agent_tui.engine.exporting import Exporting
from agent_tui.engine.init import Init
from agent_tui.engine.premises import Premises
from agent_tui.engine.reviewing import Reviewing
from agent_tui.engine.rewinding import Rewinding
from agent_tui.loop.command_output import CommandOutput
from agent_tui.loop.compact import Compactor
from agent_tui.loop.policy import Policy
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.loop.status import Status
from agent_tui.protocol.ops import SetMode
from agent_tui.protocol.requests import PermissionUpdate

PACKAGE = "agent_tui.engine.commands"


class Wiring(Protocol):
    """What commands may change of a session beyond its parts."""

    async def clear(self) -> None:
        """Begin a new conversation; the old one stays resumable."""
        ...

    async def use_model(self, name: str | None) -> str:
        """Change the model from the next request on; give its id."""
        ...

    def use_effort(self, level: str | None) -> tuple[str, ...]:
        """Change how hard the model thinks (None: as it sees fit); give a sentence for what it can't do of that."""
        ...

    async def set_mode(self, op: SetMode) -> None:
        """Change the permission mode; one that is not offered is refused, and said."""
        ...

    async def apply(self, updates: tuple[PermissionUpdate, ...]) -> None:
        """Change rules or working folders as an answer does."""
        ...

    def begin(self) -> None:
        """Write what a new journal begins with."""
        ...


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What a command works with."""

    premises: Premises = field(kw_only=True)
    record: Recorder
    compactor: Compactor
    policy: Policy
    status: Status
    requests: SessionRequests
    wiring: Wiring
    init: Init
    output: CommandOutput
    explaining: Explaining
    reviewing: Reviewing
    rewinding: Rewinding
    exporting: Exporting


class SlashCommand(Protocol):
    """One command. ``hint`` shows its arguments in completion, e.g. ``[instructions]``."""

    hint: str

    async def run(self, args: str, context: CommandContext) -> str | None:
        """Do it; what it gives is said through ``context.output``. Gives the prompt to go on with, None for none."""
        ...


@dataclass(frozen=True, slots=True)
class CommandInfo:
    """A command as completion and help show it."""

    name: str
    summary: str
    hint: str
    aliases: tuple[str, ...] = ()


ALIASES = {
    "new": "clear",
    "reset": "clear",
    "usage": "cost",
    "undo": "rewind",
    "checkpoint": "rewind",
    "settings": "config",
}
"""Other names the field knows commands by."""


SCREEN = frozenset(
    {
        "branch",
        "continue",
        "copy",
        "exit",
        "fork",
        "help",
        "memory",
        "quit",
        "resume",
        "tasks",
        "theme",
        "vim",
    }
)
"""Commands of the screen; the engine only knows that they are not its own."""


@cache
def names() -> tuple[str, ...]:
    """List the commands."""
    package = importlib.import_module(PACKAGE)
    found = (info.name.replace("_", "-") for info in pkgutil.iter_modules(package.__path__))
    return tuple(sorted(found))


@cache
def command(name: str) -> SlashCommand | None:
    """Find a command by name or alias."""
    name = ALIASES.get(name, name)
    if name not in names():
        return None
    module = importlib.import_module(f"{PACKAGE}.{name.replace('-', '_')}")
    return cast("SlashCommand", module.Command())


def unknown(name: str) -> str:
    """Say in a sentence that there is no such command here, with the nearest name that there is."""
    if name.lower() in SCREEN:
        return f"/{name} works on the screen only."
    near = difflib.get_close_matches(name.lower(), (*names(), *ALIASES), 1)
    hint = f"Did you mean /{near[0]}?" if near else "Type / to see the commands."
    return f"There is no command /{name}. {hint}"


def infos() -> tuple[CommandInfo, ...]:
    """Describe all commands, by name."""
    found: list[CommandInfo] = []
    for name in names():
        each = command(name)
        assert each is not None
        summary = (type(each).__doc__ or "").strip().partition("\n")[0]
        aliases = tuple(alias for alias, real in ALIASES.items() if real == name)
        found.append(CommandInfo(name, summary, each.hint, aliases))
    return tuple(found)
