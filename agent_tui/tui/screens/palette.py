"""The command palette: every command and every action, found by a few letters, run by Enter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent_tui.link.base import Link
from agent_tui.tui.bindings import BY_NAME, Keymap
from agent_tui.tui.commands.stage import screen_commands
from agent_tui.tui.look import Look
from agent_tui.tui.screens.choosing import Choice, ChoiceScreen
from agent_tui.tui.screens.help import Offers, offered

HINTS = ((("enter", "do it"), ("up down", "choose"), ("esc", "back")), ())
COMMANDS, ACTIONS = "Commands", "Actions"


def own_commands() -> dict[str, Choice]:
    """Give the screen's commands by name."""
    return {
        command.name: _command(command.name, command.argument, f"{command.summary}.")
        for command in screen_commands().values()
    }


def engine_commands(offers: Offers) -> dict[str, Choice]:
    """Give the commands that the engine offers, by name."""
    return {
        name: Choice(f"/{name}", written, about, "", "muted", COMMANDS)
        for name, (written, about) in offers.items()
    }


def actions(keys: Keymap, names: Iterable[str]) -> list[Choice]:
    """Give a row for each of these actions, with its key."""
    rows: list[Choice] = []
    for name in names:
        what = BY_NAME[name].does.partition(";")[0].partition(": ")[0]
        label = keys.label(name)
        rows.append(Choice(name, what[:1].upper() + what[1:], "", label, "accent", ACTIONS))
    return rows


def _command(name: str, argument: str, about: str) -> Choice:
    return Choice(
        f"/{name}", f"/{name} {argument}".strip(), about.rstrip("."), "", "muted", COMMANDS
    )


class PaletteScreen(ChoiceScreen):
    """Gives ``/name`` of a command, or the name of an action.

    Args:
        look: how things look.
        link: tells which commands the engine has.
        names: the actions there are.
    """

    def __init__(self, look: Look, link: Link, names: Iterable[str]) -> None:
        self._link = link
        self._own = own_commands()
        self._actions = actions(look.habits.keys, names)
        first = (*self._sorted(self._own), *self._actions)
        super().__init__(
            look, "Commands and actions", first, placeholder="what do you want to do", hints=HINTS
        )

    def on_mount(self) -> None:
        """Ask for the engine's commands too."""
        super().on_mount()
        self.run_worker(self._load, group="commands")

    async def _load(self) -> None:
        offers = await offered(self._link)
        if offers and self.is_attached:
            every = {**engine_commands(offers), **self._own}
            self.show((*self._sorted(every), *self._actions))

    def _sorted(self, commands: Mapping[str, Choice]) -> list[Choice]:
        return [commands[name] for name in sorted(commands)]
