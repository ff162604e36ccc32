from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.tui.app import AgentTui
from agent_tui.tui.archive import Archive
from agent_tui.tui.backstage import Backstage
from agent_tui.tui.editor import KillRing
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.theme import Uncoloured
from tests.tui.fake_link import FakeLink
from tests.tui.look import look
from tests.tui.play import play
from tests.tui.scenes import main_scene
from tests.tui.stage import Clock, running

SIZES = ((120, 40), (60, 24))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times of day are shown as in the pictures on any machine."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def links() -> Iterator[list[FakeLink]]:
    made: list[FakeLink] = []
    yield made
    for link in made:
        link.drop()


def app(scene: str, theme: str, links: list[FakeLink]) -> AgentTui:
    def new_link() -> FakeLink:
        link = FakeLink()
        link.on_send = lambda op: play(scene, link, op)
        links.append(link)
        return link

    env = Environment({}, Path.home())
    stage = Backstage(
        new_link=new_link,
        env=env,
        options=Options(cwd=str(Path.cwd()), interactive=True),
        look=look(theme),
        archive=Archive(env, Path.cwd()),
        kills=KillRing(),
        now=Clock(),
    )
    return AgentTui(stage)


async def typed(pilot: Pilot[Any]) -> None:
    for _ in range(3):
        await pilot.pause()
    await pilot.press(*"and", "space", *"bump", "space", *"the", "space", *"version")
    await pilot.pause()


async def shown(pilot: Pilot[Any]) -> None:
    for _ in range(3):
        await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    for _ in range(2):
        clock = screen.backstage.now
        assert isinstance(clock, Clock)
        clock.now += 1
        screen.asking.check()
        await pilot.pause()
    assert screen.panel.armed


@pytest.mark.usefixtures("in_utc")
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", SIZES, ids=["120x40", "60x24"])
def test_main_screen(
    snap_compare: Any, links: list[FakeLink], theme: str, size: tuple[int, int]
) -> None:
    made = app("main", theme, links)
    assert snap_compare(made, terminal_size=size, run_before=typed)
    made.backstage.archive.close()


@pytest.mark.usefixtures("in_utc")
@pytest.mark.parametrize("theme", ["dark", "light", "no-colour"])
@pytest.mark.parametrize("size", SIZES, ids=["120x40", "60x24"])
def test_tasks_sub_agents_and_the_background(
    snap_compare: Any, links: list[FakeLink], theme: str, size: tuple[int, int]
) -> None:
    made = app("work", theme, links)
    assert snap_compare(made, terminal_size=size, run_before=typed)
    made.backstage.archive.close()


@pytest.mark.usefixtures("in_utc")
@pytest.mark.parametrize("scene", ["edit", "bash", "choices"])
@pytest.mark.parametrize("size", SIZES, ids=["120x40", "60x24"])
def test_question(
    snap_compare: Any, links: list[FakeLink], scene: str, size: tuple[int, int]
) -> None:
    made = app(scene, "dark", links)
    assert snap_compare(made, terminal_size=size, run_before=shown)
    made.backstage.archive.close()


@pytest.mark.anyio
async def test_the_theme_is_switched_live() -> None:
    async with running(up=False) as on:
        await on.say(*main_scene())
        dark = on.app.screen.get_style_at(3, 0).color
        on.app.use_theme("light")
        await on.settle()
        light = on.app.screen.get_style_at(3, 0).color
        assert dark != light
        assert on.app.theme == "light"
        for theme in ("high-contrast", "sixteen", "no-colour", "dark"):
            on.app.use_theme(theme)
            await on.settle()
            assert on.rows[0].startswith(" › The refresh-token tests")
        assert on.app.screen.get_style_at(3, 0).color == dark


@pytest.mark.anyio
async def test_the_theme_follows_what_the_terminal_says_of_its_background_unless_one_is_wanted() -> (
    None
):
    async with running(up=False) as on:
        env = Environment({"COLORTERM": "truecolor"}, on.app.backstage.env.home)
        on.app.backstage = replace(on.app.backstage, env=env)
        on.app.paper_seen(False)
        assert on.app.theme == "light"
        on.app.paper_seen(True)
        assert on.app.theme == "dark"
        on.app.backstage.look.wanted = "dark"
        on.app.paper_seen(False)
        assert on.app.theme == "dark"
        assert on.app.backstage.look.fitting == "light"


@pytest.mark.anyio
async def test_no_color_takes_every_colour_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(theme="no-colour") as on:
        assert any(isinstance(f, Uncoloured) for f in on.app._filters)  # pyright: ignore[reportPrivateUsage]


@pytest.mark.anyio
async def test_leaving_by_code() -> None:
    async with running() as on:
        on.app.leave(143)
        await on.settle()
    assert on.app.return_code == 143
    await on.app.settle()
    assert on.link.closed
