"""The app: which screen is shown, the theme, how it ends. Everything else is in the screens."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from rich.color import ColorSystem
from textual import events
from textual.app import App
from textual.driver import Driver
from textual.filter import Monochrome, NoColor
from textual.widget import Widget

from agent_tui.link.base import Link
from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.credentials import masker_of, save_key
from agent_tui.settings.options import Options
from agent_tui.tui.backstage import Backstage
from agent_tui.tui.colours import Depth
from agent_tui.tui.driver import Terminal
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.theme import Uncoloured, choose_theme
from agent_tui.tui.warming import warm_up

if TYPE_CHECKING:
    from agent_tui.tui.screens.welcome import Choice

log = logging.getLogger(__name__)

SYSTEMS: Mapping[Depth, ColorSystem] = {
    "sixteen": ColorSystem.STANDARD,
    "256": ColorSystem.EIGHT_BIT,
    "24bit": ColorSystem.TRUECOLOR,
}
"""How colours are written for a terminal that shows so many."""


class AgentTui(App[None], inherit_bindings=False):
    """Begins with the welcome screen (``needs_key``), the picker, or a session.

    ``on_shown`` is called when the first frame stands.

    Attributes:
        link: to the engine of the session shown, None before there is one.
        last_words: what is to be said on standard error when the screen is gone; empty for nothing.
        session_id: the session to resume, empty while nothing was said in it.
    """

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "agent-tui"

    def __init__(
        self,
        backstage: Backstage,
        *,
        needs_key: bool = False,
        first_prompt: str = "",
        driver_class: type[Driver] | None = None,
        on_shown: Callable[[], None] | None = None,
    ) -> None:
        self.backstage = backstage  # before all else: the style sheet asks for the theme
        super().__init__(driver_class=driver_class)
        self.link: Link | None = None
        self.last_words = ""
        self.session_id = ""
        self._needs_key = needs_key
        self._first_prompt = first_prompt
        self._on_shown = on_shown
        self._shown = False
        self._main: MainScreen | None = None
        self._fallback: Options | None = None
        self.animation_level = "none"
        self._use_depth(backstage.depth or ("none" if self.no_color else None))
        look = backstage.look
        for theme in look.themes.values():
            self.register_theme(theme.to_screen())
        self.theme = look.theme.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give every role's variable, also before a theme of ours is registered."""
        return self.backstage.look.theme.variables()

    def _use_depth(self, depth: Depth | None) -> None:
        """Write as many colours as the terminal shows; None: as many as Textual finds that it does."""
        self._filters = [f for f in self._filters if not isinstance(f, Monochrome | NoColor)]
        if depth == "none":
            self._filters.append(Uncoloured())
        elif depth is not None:
            self.console._color_system = SYSTEMS[depth]  # pyright: ignore[reportPrivateUsage]

    def _build_driver(
        self, headless: bool, inline: bool, mouse: bool, size: tuple[int, int] | None
    ) -> Driver:
        """Let the driver give the terminal our title, and its own back."""
        driver = super()._build_driver(headless, inline, mouse, size)
        if isinstance(driver, Terminal):
            driver.signage, driver.paper = self.backstage.signage, self.backstage.paper
            self.backstage.paper.late = partial(
                asyncio.get_running_loop().call_soon_threadsafe, self.paper_seen
            )
        return driver

    def paper_seen(self, dark: bool) -> None:
        """Change to the theme that fits the terminal's background, where no other is wanted."""
        look = self.backstage.look
        look.fitting = choose_theme(self.backstage.env, dark=dark)
        known = look.fitting in look.themes and look.fitting != look.theme.name
        if known and look.wanted in ("", "auto"):
            self.use_theme(look.fitting)

    def on_app_focus(self, event: events.AppFocus) -> None:
        """Note that the person looks; the focus inside the screen stays where it is, and so nothing is drawn."""
        event.prevent_default()
        self.backstage.signage.focus(True)

    def on_app_blur(self, event: events.AppBlur) -> None:
        """Note that the person looks elsewhere."""
        event.prevent_default()
        self.backstage.signage.focus(False)

    # -- which screen --------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the first screen."""
        self.app_resume_signal.subscribe(self, self._resumed)  # pyright: ignore[reportUnknownMemberType]
        self.link = self.backstage.new_link()
        options = self.backstage.options
        if self._needs_key:
            from agent_tui.tui.screens.welcome import WelcomeScreen  # door: shown once in a life

            welcome = WelcomeScreen(self.backstage.look, self.link, options)
            self.push_screen(welcome, self._welcomed)
        else:
            self._begin(options)
        self.call_after_refresh(self._listen)

    def _listen(self) -> None:
        """There is a screen to type into: let the terminal be read."""
        if isinstance(self._driver, Terminal):
            self._driver.listen()

    def post_display_hook(self) -> None:
        """After the first frame of the first screen: do what could wait for it."""
        if not self._shown and len(self.screen_stack) > 1:
            self._shown = True
            if self._on_shown is not None:
                self._on_shown()
                self.run_worker(warm_up, group="warming")

    def _welcomed(self, choice: Choice | None) -> None:
        if choice is None:
            self.leave()
        else:
            self.run_worker(partial(self._after_welcome, choice))

    async def _after_welcome(self, choice: Choice) -> None:
        if choice.key or choice.base_url:
            try:
                model = choice.options.model.model or ""
                keep = partial(save_key, self.backstage.env, choice.key, choice.base_url, model)
                await asyncio.to_thread(keep)
            except SettingsError as error:
                self.last_words = str(error)
                self.leave(1)
                return
        self._begin(choice.options)

    def _begin(self, options: Options) -> None:
        assert self.link is not None
        if options.session.resume == "":
            from agent_tui.tui.screens.sessions import (  # door: the picker
                Picked,
                SessionsScreen,
                resuming,
            )

            stage = self.backstage
            picker = SessionsScreen(stage.look, self.link, options.cwd, masker_of(stage.env))

            def picked(choice: Picked | None) -> None:
                if choice is None:
                    self.leave()
                else:
                    row = choice.row
                    self._enter(resuming(options, row.session_id, row.cwd, fork=choice.fork))

            self.push_screen(picker, picked)
        else:
            self._enter(options)

    def _enter(self, options: Options) -> None:
        assert self.link is not None
        prompt, self._first_prompt = self._first_prompt, ""
        self.backstage.look.cwd = options.cwd
        if self.backstage.watching:
            from agent_tui.tui.screens.watching import WatchScreen  # door: seldom wanted

            self._main = WatchScreen(self.backstage, self.link, options)
        else:
            self._main = MainScreen(self.backstage, self.link, options, prompt)
        self.push_screen(self._main)

    def open_session(self, options: Options) -> None:
        """Go on with another session, in an engine of its own; the one before is closed first."""
        before = self._main
        if before is None or self.link is None:
            return
        session = before.pump.status.session
        if session is not None and before.begun:
            from agent_tui.tui.screens.sessions import resuming  # door: the picker

            self._fallback = resuming(before.options, session.session_id)
        else:
            self._fallback = before.options
        before.is_closing = True
        before.say_hint("closing this session")
        self.run_worker(partial(self._go_over, options), group="switch", exclusive=True)

    def on_main_screen_opened(self, event: MainScreen.Opened) -> None:
        """The session is open: there is nothing to fall back to any more."""
        if event.screen is self._main:
            self._fallback = None

    def on_main_screen_refused(self, event: MainScreen.Refused) -> None:
        """The session can't be opened: back to the one before, or leave and say why."""
        if event.screen is not self._main:
            return
        fallback, self._fallback = self._fallback, None
        if fallback is None:
            self.last_words = event.failed.error
            self.exit(return_code=1)
        else:
            self.run_worker(partial(self._go_over, fallback, event.failed.error), group="switch")

    async def _go_over(self, options: Options, why: str = "") -> None:
        """Close the engine there is, start one for another session, say why."""
        assert self.link is not None
        await self.link.aclose()
        self.link = self.backstage.new_link()
        before, self._main = self._main, MainScreen(self.backstage, self.link, options)
        self.backstage.look.cwd = options.cwd
        await self.switch_screen(self._main)  # pyright: ignore[reportUnknownMemberType]
        if before is not None:
            self._main.adopt(before)  # now that it gets no more keys
        if why:
            self._main.pump.say(why, level="error")

    # -- what screens ask for ------------------------------------------------------------------

    def use_theme(self, name: str) -> None:
        """Switch the theme of all screens."""
        look = self.backstage.look
        look.theme = look.themes[name]
        self.theme = name
        for screen in self.screen_stack:
            for node in screen.walk_children(Widget):
                if isinstance(node, Sheet | Field | Conversation):
                    node.redraw()
        self.redraw_all()

    def _resumed(self, _app: object) -> None:
        self.redraw_all()

    def copy_to_clipboard(self, text: str) -> None:
        """Put a text into the clipboard, through whatever stands between the terminal and us."""
        self._clipboard = text
        driver = self._driver
        if driver is not None:
            tell = driver.tell if isinstance(driver, Terminal) else driver.write
            for sequence in self.backstage.clipboard.sequences(text):
                tell(sequence)

    def redraw_all(self) -> None:
        """Draw every cell again."""
        self.refresh(layout=True)

    def leave(self, code: int = 0) -> None:
        """End the program with this exit code; the draft is kept."""
        self._remember()
        self.exit(return_code=code)

    def _remember(self) -> None:
        """Keep the draft, and what is needed to resume."""
        main = self._main
        if main is not None:
            main.save_draft()
            session = main.pump.status.session
            if session is not None and main.begun:
                self.session_id = session.session_id

    async def settle(self) -> None:
        """Close the engine; to be called when the screen is gone."""
        if self.link is not None:
            await self.link.aclose()

    def _fatal_error(self) -> None:
        """Keep an error of our own for the log; the person gets a sentence and no dump of variables."""
        text = traceback.format_exc()
        log.error("the screen failed\n%s", text)
        self.last_words = (
            f"the screen stopped on an error of its own: {text.strip().splitlines()[-1]}"
        )
        self._remember()
        self._close_messages_no_wait()
