from __future__ import annotations

import pytest

from agent_tui.protocol.queries import Complete, Completion, Completions
from agent_tui.tui.bindings import USUAL
from agent_tui.tui.commands.stage import screen_commands
from agent_tui.tui.screens.help import HelpScreen, Hints, sections
from agent_tui.tui.screens.main import MainScreen
from tests.tui.look import look
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


async def test_the_engines_commands_are_in_it_too_and_are_found() -> None:
    offers = Completions((Completion("compact", "[instructions]  Summarise all of it."),))
    async with running(replies={Complete: offers}) as on:
        await on.press("question_mark")
        await on.type("summarise")
        (row,) = [row for row in on.rows if "/compact" in row]
        assert row.strip().split("  ")[0] == "/compact [instructions]"
        assert row.endswith("Summarise all of it")
        await on.press(*["backspace"] * 9)
        await on.type("/resume")
        assert "/continue" in on.text


def test_letters_that_do_not_act_now_are_drawn_quieter() -> None:
    hints = Hints(look(), (("esc", "back"),), (("f", "fork"),))
    styles: list[list[object]] = []
    for resting in (False, True):
        hints.resting = resting
        row = hints.draw(look().page(120))[1]
        styles.append([s.style for s in row.strip if s.text == "f"])
    assert styles[0] != styles[1]
