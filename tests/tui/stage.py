"""The whole app on a fake link, with a clock that stands still unless a test moves it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from textual.pilot import Pilot
from textual.widget import Widget

from agent_tui.link.base import EngineUp, Incoming
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.tui.app import AgentTui
from agent_tui.tui.archive import Archive
from agent_tui.tui.backstage import Backstage
from agent_tui.tui.editor import KillRing
from agent_tui.tui.screens.main import MainScreen
from tests.tui.fake_link import FakeLink
from tests.tui.host import screen_rows
from tests.tui.look import look
from tests.tui.scenes import status

T = TypeVar("T")


@dataclass
class Clock:
    """Seconds, moved by hand."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Stage:
    """A running app and what a test needs of it."""

    app: AgentTui
    pilot: Pilot[Any]
    clock: Clock
    links: list[FakeLink] = field(default_factory=list[FakeLink])

    @property
    def link(self) -> FakeLink:
        """The newest link."""
        return self.links[-1]

    @property
    def main(self) -> MainScreen:
        """The main screen."""
        return next(s for s in reversed(self.app.screen_stack) if isinstance(s, MainScreen))

    async def say(self, *incoming: Incoming) -> None:
        """Have the session say something, and wait until it is shown."""
        self.link.say(*incoming)
        await self.settle()

    async def settle(self) -> None:
        """Wait until everything under way is done and drawn."""
        for _ in range(3):
            await self.pilot.pause()

    async def pass_time(self, seconds: float) -> None:
        """Move the clock, and have the questions look at it."""
        self.clock.now += seconds + 0.001
        self.main.asking.check()
        await self.settle()

    async def press(self, *keys: str) -> None:
        """Press keys and wait."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Type a text key by key."""
        names = {" ": "space", "/": "slash", "@": "at", "\n": "ctrl+j", "!": "exclamation_mark"}
        await self.press(*(names.get(char, char) for char in text))

    @property
    def rows(self) -> list[str]:
        """What is on the screen."""
        return screen_rows(self.app)

    @property
    def text(self) -> str:
        """What is on the screen, as one text."""
        return "\n".join(self.rows)

    def rows_of(self, widget: Widget) -> list[str]:
        """What a widget shows."""
        region = widget.region
        return self.rows[region.y : region.bottom]


@asynccontextmanager
async def running(
    *,
    size: tuple[int, int] = (120, 40),
    theme: str = "dark",
    options: Options | None = None,
    needs_key: bool = False,
    up: bool = True,
    replies: dict[type[Any], Any] | None = None,
    first_prompt: str = "",
    watching: bool = False,
) -> AsyncGenerator[Stage]:
    """Run the app. With ``up`` the engine is up and idle when the test begins."""
    cwd = Path.cwd()
    env = Environment({}, Path.home())
    clock = Clock()
    links: list[FakeLink] = []

    def new_link() -> FakeLink:
        links.append(FakeLink(dict(replies or {})))
        return links[-1]

    archive = Archive(env, cwd)
    stage = Backstage(
        new_link=new_link,
        env=env,
        options=options or Options(cwd=str(cwd), interactive=True),
        look=look(theme),
        archive=archive,
        kills=KillRing(),
        now=clock,
        watching=watching,
    )
    app = AgentTui(stage, needs_key=needs_key, first_prompt=first_prompt)
    try:
        async with app.run_test(size=size) as pilot:
            made = Stage(app, pilot, clock, links)
            await made.settle()
            if up:
                await made.say(EngineUp(), status())
            yield made
    finally:
        archive.close()
        for link in links:
            link.drop()
