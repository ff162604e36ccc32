"""Going from the main screen to another one, and doing what was chosen there."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.described import put
from agent_tui.tui.commands.stage import find_command
from agent_tui.tui.look import QUIET_TICK
from agent_tui.tui.theme import choose_theme

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen


class Colours(Protocol):
    """The app, as far as themes go."""

    def use_theme(self, name: str) -> None:
        """Switch the theme of all screens."""
        ...


class Visits:
    """The other screens, reached from one main screen."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen

    @property
    def _app(self) -> Colours:
        return cast("Colours", self._screen.app)  # pyright: ignore[reportUnknownMemberType]

    def help(self) -> None:
        """Open the help."""
        from agent_tui.tui.screens.help import HelpScreen  # door: the help

        screen = self._screen
        screen.app.push_screen(HelpScreen(screen.backstage.look, screen.link))  # pyright: ignore[reportUnknownMemberType]

    def sessions(self) -> None:
        """Open the session picker."""
        from agent_tui.tui.screens.sessions import Picked, SessionsScreen  # door: the picker

        screen = self._screen
        stage = screen.backstage
        picker = SessionsScreen(stage.look, screen.link, screen.options.cwd, masker_of(stage.env))

        def picked(choice: Picked | None) -> None:
            if choice is not None:
                screen.doing.resume(choice.row.session_id, choice.row.cwd, fork=choice.fork)

        screen.app.push_screen(picker, picked)  # pyright: ignore[reportUnknownMemberType]

    # -- commands and actions ------------------------------------------------------------------

    def palette(self) -> None:
        """Open the palette; what is chosen there is done here."""
        from agent_tui.tui.screens.palette import PaletteScreen  # door: the palette
        from agent_tui.tui.screens.pressing import PALETTE  # door: it knows us

        screen = self._screen
        palette = PaletteScreen(screen.backstage.look, screen.link, PALETTE)
        screen.app.push_screen(palette, self._chosen)  # pyright: ignore[reportUnknownMemberType]

    def _chosen(self, what: str | None) -> None:
        if what is None:
            return
        if what.startswith("/"):
            self.command(what)
        else:
            self._screen.pressing.do(what)

    def command(self, text: str) -> None:
        """Carry out a command as if it had been typed; the draft stays as it is."""
        found = find_command(text)
        if found is not None:
            command, argument = found
            command.runner.run(self._screen.doing, argument)
        else:
            self._screen.send_prompt(text)

    def models(self) -> None:
        """Open the list of models."""
        from agent_tui.tui.screens.models import ModelsScreen  # door: the models

        screen = self._screen
        session = screen.pump.status.session
        models = ModelsScreen(screen.backstage.look, screen.link, session.model if session else "")

        def chosen(lines: str | None) -> None:
            for line in (lines or "").splitlines():
                screen.send_prompt(line)

        screen.app.push_screen(models, chosen)  # pyright: ignore[reportUnknownMemberType]

    def servers(self) -> None:
        """Open the list of MCP servers."""
        from agent_tui.tui.screens.servers import ServersScreen  # door: the servers

        screen = self._screen
        screen.app.push_screen(ServersScreen(screen.backstage.look, screen.link))  # pyright: ignore[reportUnknownMemberType]

    def aside(self, question: str) -> None:
        """Ask a side question."""
        from agent_tui.tui.screens.aside import AsideScreen  # door: side questions

        screen = self._screen
        aside = AsideScreen(screen.backstage.look, screen.link, question, screen.doing.copy)
        screen.app.push_screen(aside)  # pyright: ignore[reportUnknownMemberType]

    # -- themes and settings -------------------------------------------------------------------

    def themes(self) -> None:
        """Open the list of themes; the one that is chosen is kept."""
        from agent_tui.tui.screens.themes import ThemesScreen  # door: the themes

        look = self._screen.backstage.look
        themes = ThemesScreen(look, look.wanted, self._app.use_theme, self._fitting)
        self._screen.app.push_screen(themes, self._keep)  # pyright: ignore[reportUnknownMemberType]

    def _keep(self, name: str | None) -> None:
        if name is not None:
            self.keep_theme(name)

    def _fitting(self) -> str:
        """Name the theme that fits the terminal."""
        stage = self._screen.backstage
        return stage.look.fitting or choose_theme(stage.env)

    def keep_theme(self, name: str) -> None:
        """Use a theme, ``auto`` for the one that fits, and store it in the person's settings."""
        look = self._screen.backstage.look
        look.wanted = name
        self._show_theme(name)
        self._screen.run_worker(partial(self._store, name), group="theme", exclusive=True)

    def _show_theme(self, name: str) -> None:
        look = self._screen.backstage.look
        shown = self._fitting() if name in ("", "auto") else name
        if shown in look.themes and shown != look.theme.name:
            self._app.use_theme(shown)

    async def _store(self, name: str) -> None:
        env = self._screen.backstage.env
        try:
            await asyncio.to_thread(put, env, "theme", name)
        except SettingsError as error:
            self._screen.doing.say(f"The theme could not be kept: {error}.", error=True)
        else:
            self._screen.say_hint(f"theme {name} kept")

    def config(self) -> None:
        """Open the settings."""
        from agent_tui.tui.screens.config import ConfigScreen  # door: the settings

        screen = self._screen
        look = screen.backstage.look
        config = ConfigScreen(look, screen.link, tuple(look.themes), self._changed)
        screen.app.push_screen(config)  # pyright: ignore[reportUnknownMemberType]

    def _changed(self, key: str, value: object) -> None:
        """Let a setting of the screen count at once."""
        look = self._screen.backstage.look
        if key == "theme":
            look.wanted = str(value or "")
            self._show_theme(look.wanted)
        elif key == "editorMode":
            look.habits.vim = value == "vim"
        elif key == "reducedMotion":
            look.tick = QUIET_TICK if value is True else 1.0
