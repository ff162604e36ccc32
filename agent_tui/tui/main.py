"""The screen's entry: looks at the terminal, starts engine and app, ends both, says how to go on."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import TextIOWrapper
from pathlib import Path
from typing import Protocol

import anyio
from anyio.abc import TaskGroup

from agent_tui.link.base import Link
from agent_tui.link.child import ChildLink
from agent_tui.settings import paths
from agent_tui.settings.credentials import find_credentials, masker_of
from agent_tui.settings.layers import Layers, load
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.settings.paths import Environment
from agent_tui.settings.private import make_private_folder, private_opener
from agent_tui.settings.schema import Settings
from agent_tui.tui import links
from agent_tui.tui.app import AgentTui
from agent_tui.tui.archive import Archive
from agent_tui.tui.backstage import Backstage
from agent_tui.tui.colours import colour_depth
from agent_tui.tui.copied import Clipboard
from agent_tui.tui.driver import Terminal
from agent_tui.tui.editor import KillRing
from agent_tui.tui.ending import EndingBySignal
from agent_tui.tui.glyphs import choose_glyphs
from agent_tui.tui.habits import habits_of
from agent_tui.tui.look import QUIET_TICK, Look
from agent_tui.tui.paper import Paper
from agent_tui.tui.signage import Signage
from agent_tui.tui.surroundings import Surroundings
from agent_tui.tui.theme import choose_theme, load_themes
from agent_tui.view.logs import SafeFormatter

log = logging.getLogger(__name__)

FIRST_KEY = 0.05
"""Seconds after the first frame that belong to the first key; then the engine is started."""


class ServedLink(Link, Protocol):
    """A link with a task of its own that must run while it is used."""

    async def serve(self) -> None:
        """Run until the link is closed."""
        ...


@dataclass(frozen=True, slots=True)
class Start:
    """What the screen is started with.

    ``make`` makes a link; ``mouse``: the mouse is used; ``watching``: the session is another window's.
    """

    options: Options
    env: Environment
    look: Look
    signage: Signage
    make: Callable[[], ServedLink]
    prompt: str = ""
    needs_key: bool = False
    mouse: bool = True
    watching: bool = False
    clipboard: Clipboard = field(default_factory=Clipboard)
    paper: Paper = field(default_factory=Paper)


def main(
    options: Options,
    env: Environment,
    prompt: str | None = None,
    *,
    needs_key: bool | None = None,
    new_link: Callable[[], ServedLink] | None = None,
    paper: Paper | None = None,
) -> int:
    """Run the screen; give the exit code: 0, 1 when it failed, 128+n ended by signal n.

    ``prompt`` is sent at once. ``needs_key`` None finds out by itself whether a key is missing; ``new_link`` makes the
    engine, by default in a process of its own. ``paper`` was asked what the terminal's background is.

    Raises:
        SettingsError: a settings file, or the key that was kept, can't be used.
    """
    layers = load(env, Path(options.cwd), options.setting_sources)
    if needs_key is None:
        needs_key = lacks_key(options, env, layers.settings)
    make = new_link or (lambda: ChildLink(env))
    start = _prepare(options, env, layers, make, paper or Paper())
    return _start(replace(start, prompt=prompt or "", needs_key=needs_key))


def watch(
    options: Options, env: Environment, wanted: str = "", *, paper: Paper | None = None
) -> int:
    """Show a session that another window runs; give the exit code, see ``main``.

    ``wanted`` is its id, how that begins, or its title; empty: the newest that runs in ``options.cwd``.

    Raises:
        SettingsError: a settings file can't be used.
    """
    from agent_tui.link.watch import WatchLink  # door: seldom wanted

    layers = load(env, Path(options.cwd), options.setting_sources)
    options = replace(options, session=SessionOptions(continue_newest=True))

    def make() -> ServedLink:
        return WatchLink(env, wanted, options.cwd)

    start = _prepare(options, env, layers, make, paper or Paper())
    start.signage.watching = True
    return _start(replace(start, watching=True))


def _prepare(
    options: Options,
    env: Environment,
    layers: Layers,
    make: Callable[[], ServedLink],
    paper: Paper,
) -> Start:
    settings = layers.settings
    look = make_look(env, options.cwd, settings.theme or "", dark=paper.look())
    look.tick = QUIET_TICK if settings.reduced_motion else look.tick
    around = Surroundings.of(env)
    look.links = links.wanted(settings.hyperlinks, around)
    look.habits = habits_of(layers.keys, settings.editor_mode)
    signage = Signage.of(settings, env, options.cwd, time.monotonic, look.glyphs)
    clipboard = Clipboard(around, settings.clipboard)
    mouse = settings.mouse is not False
    return Start(options, env, look, signage, make, mouse=mouse, clipboard=clipboard, paper=paper)


def lacks_key(options: Options, env: Environment, settings: Settings) -> bool:
    """Tell whether a key is to be asked for: there is none, and the server is one that wants it.

    Raises:
        SettingsError: the key that was kept can't be used.
    """
    if options.demo:
        return False
    found = find_credentials(
        env, base_url=options.model.base_url, settings_base_url=settings.base_url
    )
    return found.lacking


def make_look(env: Environment, cwd: str, wanted: str = "", *, dark: bool | None = None) -> Look:
    """Choose theme and glyphs for this terminal; ``wanted`` is a theme's name, empty for what fits; ``dark`` as it says."""
    themes, problems = load_themes([paths.themes(), paths.user_themes(env)])
    for problem in problems:
        log.warning("%s", problem)
    fitting = choose_theme(env, dark=dark)
    theme = themes.get(choose_theme(env, wanted, dark=dark)) or themes[fitting]
    glyphs = choose_glyphs(env)
    return Look(theme, glyphs, cwd, str(env.home), themes, wanted=wanted, fitting=fitting)


def _start(start: Start) -> int:
    """Run the app; whatever ends it, the terminal is the person's again."""
    _log_to_file(start.env)
    try:
        return anyio.run(_run, start)
    finally:
        give_back()


async def _run(start: Start) -> int:
    archive = Archive(start.env, Path(start.options.cwd))
    shown = anyio.Event()
    try:
        async with anyio.create_task_group() as group:
            stage = Backstage(
                new_link=_served(group, start.make, shown),
                env=start.env,
                options=start.options,
                look=start.look,
                archive=archive,
                kills=KillRing(),
                now=time.monotonic,
                signage=start.signage,
                depth=colour_depth(start.env),
                watching=start.watching,
                clipboard=start.clipboard,
                paper=start.paper,
            )
            app = AgentTui(
                stage,
                needs_key=start.needs_key,
                first_prompt=start.prompt,
                driver_class=Terminal,
                on_shown=shown.set,
            )
            with EndingBySignal(app.leave, give_back):
                await app.run_async(mouse=start.mouse)
                _say_goodbye(app)
                await app.settle()
            group.cancel_scope.cancel()
            return app.return_code or 0
    finally:
        archive.close()
    return 1  # a task group may swallow what ends it


def _served(
    group: TaskGroup, make: Callable[[], ServedLink], shown: anyio.Event
) -> Callable[[], Link]:
    """Give what makes a link; its engine is started when the first frame stands, so that they don't compete."""

    def new_link() -> Link:
        link = make()
        group.start_soon(serve, link)
        return link

    async def serve(link: ServedLink) -> None:
        await shown.wait()
        await anyio.sleep(FIRST_KEY)
        await link.serve()

    return new_link


def give_back() -> None:
    """Give the terminal back by force, where it still is taken."""
    if Terminal.taken is not None:
        Terminal.taken.give_back()


def _say_goodbye(app: AgentTui) -> None:
    """Say what went wrong, and how to go on with the session. A terminal that is gone hears nothing."""
    with suppress(OSError):
        if app.last_words:
            sys.stderr.write(f"agent-tui: {_plain(app.last_words)}\n")
            sys.stderr.flush()
        if app.session_id:
            sys.stdout.write(f"To go on with this session: agent-tui --resume {app.session_id}\n")
            sys.stdout.flush()


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


class _PrivateLog(logging.FileHandler):
    """A log that only its owner can read."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", opener=private_opener)


def _log_to_file(env: Environment) -> None:
    """Send the log to a file of ours: standard error is the screen."""
    folder = paths.logs(env)
    try:
        make_private_folder(folder)
        handler = _PrivateLog(folder / "screen.log", delay=True, encoding="utf-8")
    except OSError:
        return
    handler.setFormatter(SafeFormatter(masker_of(env)))
    handler.setLevel(logging.WARNING)
    logging.getLogger("agent_tui").addHandler(handler)
    logging.getLogger("agent_tui").propagate = False
