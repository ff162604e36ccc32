from __future__ import annotations

import pytest

from agent_tui.protocol.messages import SystemMessage, UserMessage
from agent_tui.protocol.queries import MessagePage, Page
from agent_tui.protocol.records import to_record
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.screens.review import ReviewScreen
from agent_tui.tui.screens.rewind import RewindScreen
from tests.tui.scenes import status
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_the_commands_open_their_screens() -> None:
    async with running() as on:
        await on.type("/diff")
        await on.press("enter")
        assert isinstance(on.app.screen, ReviewScreen)
        await on.press("escape")
        await on.type("/undo")
        await on.press("enter")
        assert isinstance(on.app.screen, RewindScreen)


async def test_escape_twice_goes_back_when_nothing_is_typed_and_something_was_said() -> None:
    async with running() as on:
        await on.press("escape", "escape")
        assert isinstance(on.app.screen, MainScreen)
        await on.say(UserMessage("hello", uuid="u1"))
        await on.press("escape")
        assert "esc again to go back" in on.text
        await on.press("escape")
        assert isinstance(on.app.screen, RewindScreen)
        await on.press("escape")
        assert "esc again" not in on.text


async def test_while_a_run_goes_or_the_engine_starts_neither_is_opened() -> None:
    async with running() as on:
        await on.say(UserMessage("hello", uuid="u1"), status(busy=True))
        on.main.doing.show_rewind()
        await on.settle()
        assert isinstance(on.app.screen, MainScreen)
        assert "stop the run first" in on.text
    async with running(up=False) as on:
        on.main.doing.show_rewind()
        on.main.doing.show_review()
        await on.settle()
        assert isinstance(on.app.screen, MainScreen)
        assert "still starting" in on.text


async def test_the_conversation_that_went_back_is_shown_as_it_is_now() -> None:
    page = MessagePage((to_record(UserMessage("the first", uuid="u1")),))
    async with running(replies={Page: page}) as on:
        await on.say(UserMessage("the first", uuid="u1"), UserMessage("the second", uuid="u2"))
        assert "the second" in on.text
        await on.say(SystemMessage("rewound", {"uuid": "r"}))
        await on.settle()
        await on.pilot.pause(0.1)
        assert "the second" not in on.text
        assert "the first" in on.text
