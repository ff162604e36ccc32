from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_tui.tui.screens.themes import ThemesScreen
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def opened(on: Stage) -> None:
    await on.type("/theme")
    await on.press("enter")
    assert isinstance(on.app.screen, ThemesScreen)


def stored() -> Path:
    return Path.home() / ".agent-tui" / "settings.json"


async def test_each_is_shown_at_once_with_a_sample_and_escape_takes_it_back() -> None:
    async with running() as on:
        await opened(on)
        assert "› auto" in on.text
        assert "src/session.py" in on.text
        await on.type("high")
        assert on.app.theme == "high-contrast"
        assert on.app.backstage.look.theme.name == "high-contrast"
        await on.press("escape")
        assert on.app.theme == "dark"
        assert not stored().exists()


async def test_enter_keeps_it_in_the_persons_settings() -> None:
    stored().parent.mkdir(parents=True, exist_ok=True)
    stored().write_text('{"model": "opus"}')
    async with running() as on:
        await opened(on)
        await on.type("light")
        await on.press("enter")
        for _ in range(200):
            if "theme" in stored().read_text():
                break
            await on.pilot.pause(0.01)
        assert json.loads(stored().read_text()) == {"model": "opus", "theme": "light"}
        assert on.app.theme == "light"
        await opened(on)
        assert "› light" in on.text


async def test_a_settings_file_that_can_not_be_written_is_told() -> None:
    stored().parent.mkdir(parents=True, exist_ok=True)
    stored().write_text("{nonsense")
    async with running() as on:
        await on.type("/theme light")
        await on.press("enter")
        for _ in range(200):
            if "could not be kept" in on.text:
                break
            await on.pilot.pause(0.01)
        assert "could not be kept" in on.text
        assert on.app.theme == "light"
        assert stored().read_text() == "{nonsense"


async def test_auto_is_what_fits_the_terminal() -> None:
    async with running(theme="light") as on:
        on.app.backstage.look.fitting = "sixteen"
        on.app.backstage.look.wanted = "light"
        await opened(on)
        await on.type("auto")
        assert on.app.theme == "sixteen"
        await on.press("escape")
        assert on.app.theme == "light"
