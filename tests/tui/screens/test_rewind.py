from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.queries import Failed, PreviewRewind, Rewind, RewindList
from agent_tui.protocol.reviews import Consent, RewindPlan, RewindPoint, RewindPoints, Rewound
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.screens.rewind import PAUSE, RewindScreen
from tests.tui.panes.test_rewindlist import FILES
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio

POINTS = RewindPoints(
    (
        RewindPoint("u2", "prompt", "second prompt", "2020-03-01T12:00:00Z", 1),
        RewindPoint("u1", "prompt", "first prompt", "2020-03-01T11:00:00Z", 3),
    )
)
REPLIES: dict[type[Any], Any] = {
    RewindList: POINTS,
    PreviewRewind: RewindPlan(FILES, 1),
    Rewind: Rewound(("src/a.py",), ("b.py",), (), "first prompt", True),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def looked(on: Stage) -> None:
    await on.pilot.pause(PAUSE + 0.05)
    await on.settle()


async def opened(on: Stage) -> None:
    on.main.doing.show_rewind()
    await on.settle()
    await looked(on)
    assert isinstance(on.app.screen, RewindScreen)


def asked(on: Stage) -> list[Rewind]:
    return [query for query in on.link.asked if isinstance(query, Rewind)]


async def test_prompts_stand_left_and_what_would_change_right() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        assert on.rows[3].startswith(" › second prompt")
        assert "● src/a.py" in on.text
        await on.press("down")
        await looked(on)
        assert on.link.asked[-1] == PreviewRewind("u1")
        await on.press("b")
        await on.settle()
        assert asked(on) == [Rewind("u1", True, True, ())]
        assert isinstance(on.app.screen, MainScreen)
        assert on.main.prompt.value == "first prompt"


@pytest.mark.parametrize(
    ("key", "files", "conversation"), [("b", True, True), ("f", True, False), ("c", False, True)]
)
async def test_each_way_has_its_key(key: str, files: bool, conversation: bool) -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press(key)
        await on.settle()
        assert asked(on) == [Rewind("u2", files, conversation, ())]


async def test_what_others_changed_is_put_back_only_when_that_is_wanted() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        assert "stay as they are" in on.text
        await on.press("o")
        assert "are put back all the same" in on.text
        await on.press("f")
        await on.settle()
        assert asked(on)[0].also == (Consent("/w/b", "s"),)


async def test_a_draft_is_put_aside_for_the_prompt_that_comes_back() -> None:
    async with running(replies=REPLIES) as on:
        await on.type("a draft")
        await opened(on)
        await on.press("b")
        await on.settle()
        assert on.main.prompt.value == "first prompt"
        assert "1 put aside" in on.text


async def test_nothing_goes_back_before_one_has_seen_what_would_change() -> None:
    async with running(replies=REPLIES, size=(60, 24)) as on:
        await opened(on)
        assert "src/a.py" not in on.text
        await on.press("b")
        assert not asked(on)
        assert "press enter" in on.text
        await on.press("enter")
        assert "● src/a.py" in on.text
        await on.press("escape")
        assert isinstance(on.app.screen, RewindScreen)
        await on.press("enter", "f")
        await on.settle()
        assert len(asked(on)) == 1


async def test_what_can_t_be_done_is_said_and_the_screen_stays() -> None:
    replies = {**REPLIES, Rewind: Failed("The agent is at work")}
    async with running(replies=replies) as on:
        await opened(on)
        await on.press("b")
        await on.settle()
        assert "The agent is at work" in on.text
        assert isinstance(on.app.screen, RewindScreen)
        on.link.replies[PreviewRewind] = RewindPlan(conversation=False)
        await on.press("down")
        await looked(on)
        await on.press("f")
        assert "no file would be put back" in on.text
        await on.press("b")
        assert "did not move" in on.text
        await on.press("escape")
        assert isinstance(on.app.screen, MainScreen)


async def test_without_a_prompt_there_is_nothing() -> None:
    async with running(replies={RewindList: RewindPoints(kept=False)}) as on:
        await opened(on)
        assert "There is no prompt to go back to yet." in on.text
        assert "files are not kept" in on.text
        await on.press("b", "o", "enter")
        assert not asked(on)
