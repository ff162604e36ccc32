from __future__ import annotations

import pytest

from agent_tui.tui.bindings import USUAL
from agent_tui.tui.commands.stage import screen_commands
from agent_tui.tui.screens.help import HelpScreen, sections
from agent_tui.tui.screens.main import MainScreen
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a_question_mark_on_an_empty_prompt_opens_it_and_escape_closes_it() -> None:
    async with running() as on:
        await on.press("question_mark")
        assert isinstance(on.app.screen, HelpScreen)
        assert "shift+enter" in on.text
        await on.press("escape")
        assert isinstance(on.app.screen, MainScreen)
        await on.press("a", "question_mark")
        assert on.main.prompt.value == "a?"


async def test_typing_filters() -> None:
    async with running() as on:
        await on.press("question_mark")
        await on.type("queue")
        assert "ctrl+q" in on.text
        assert "ctrl+w" not in on.text
        await on.type("xyz")
        assert "nothing found" in on.text


async def test_it_scrolls() -> None:
    async with running(size=(80, 12)) as on:
        await on.press("question_mark")
        before = on.rows[4]
        await on.press("down")
        assert on.rows[4] != before


def test_every_command_of_the_screen_is_in_it() -> None:
    said = " ".join(key for _title, entries in sections(USUAL) for key, _what in entries)
    for name in screen_commands():
        assert f"/{name}" in said
