from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from agent_tui.link.base import EngineLost, EngineUp, OpenFailed
from agent_tui.protocol.messages import QueueChanged, QueuedPrompt, SystemMessage
from agent_tui.protocol.queries import FolderOffer, FolderTrust, MessagePage, Page
from agent_tui.protocol.records import to_record
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.tui.screens.watching import REFUSED, WatchScreen
from tests.tui import scenes
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def watching() -> AsyncGenerator[Stage]:
    """Watch a session that was asked something and works."""
    past = [
        m for m in scenes.main_scene() if type(m).__name__ in ("UserMessage", "AssistantMessage")
    ]
    records = tuple(to_record(m) for m in past)  # pyright: ignore[reportArgumentType]
    options = Options(
        str(Path.cwd()), interactive=True, session=SessionOptions(continue_newest=True)
    )
    replies = {Page: MessagePage(records), FolderTrust: FolderOffer()}
    async with running(options=options, replies=replies, watching=True) as stage:
        await stage.say(scenes.busy())
        assert isinstance(stage.main, WatchScreen)
        yield stage


async def shows(stage: Stage, text: str) -> None:
    """Wait until a text is on the screen."""
    with anyio.fail_after(10):
        while text not in stage.text:
            await stage.settle()


async def test_past_and_present_are_shown_and_that_this_only_watches() -> None:
    async with watching() as stage:
        await shows(stage, "15 passed")
        await shows(stage, "Working")
        assert "watching, read-only" in stage.text
        assert "esc stop" not in stage.text


async def test_nothing_is_sent_whatever_is_pressed() -> None:
    async with watching() as stage:
        before = list(stage.link.sent)  # the opening, which a link that watches leaves out
        await stage.type("let me in")
        await stage.press("enter")
        assert REFUSED in stage.text
        assert "› let me in" in stage.text  # it is still there to be copied
        await stage.press("shift+tab", "escape", "ctrl+q")
        await stage.say(QueueChanged((QueuedPrompt("q", "waits"),)))
        await stage.press("ctrl+q", "d")
        await stage.type("/compact")
        await stage.press("enter")
        assert stage.link.sent == before


async def test_a_question_is_seen_and_not_asked() -> None:
    async with watching() as stage:
        await stage.say(scenes.edit_call(), scenes.edit_question())
        await stage.pass_time(5)
        assert stage.main.panel.request is None
        await stage.press("y")
        assert not [op for op in stage.link.sent if op.kind == "answer"]


async def test_commands_that_the_session_does_not_notice_work() -> None:
    async with watching() as stage:
        await stage.type("/theme light")
        await stage.press("enter")
        assert stage.app.backstage.look.theme.name == "light"


async def test_draft_and_history_of_the_other_window_stay_as_they_are() -> None:
    archive = "the other window's"
    async with watching() as stage:
        stage.app.backstage.archive.save_draft(archive)
        await stage.type("mine")
        stage.main.save_draft()
        stage.main.keep("mine")
        stage.app.leave()
        await stage.settle()
        drafts = list((Path.home() / ".agent-tui" / "drafts").iterdir())
        assert [archive in path.read_text() for path in drafts] == [True]
        assert stage.app.session_id == ""


async def test_a_loss_is_told_and_so_is_its_end() -> None:
    async with watching() as stage:
        await stage.say(EngineLost("its engine is gone"))
        await shows(stage, "Its engine is gone. It is watched again as soon as it goes on.")
        assert "Working" not in stage.text
        await stage.say(EngineUp(restarted=True), SystemMessage("status", {}))
        await shows(stage, "watching again")
        asked = [query for query in stage.link.asked if isinstance(query, Page)]
        assert len(asked) == 2
        await stage.say(EngineLost("the session has ended", restarting=False))
        await shows(stage, "It has not gone on; ctrl+d leaves.")
        await stage.type("x")
        await stage.press("enter")
        assert len(stage.links) == 1  # no engine is started for it


@pytest.mark.parametrize("begun", [False, True])
async def test_what_can_not_be_watched_ends_it_with_the_reason(begun: bool) -> None:
    options = Options(str(Path.cwd()), session=SessionOptions(continue_newest=True))
    async with running(options=options, watching=True, up=begun) as stage:
        await stage.say(OpenFailed("no session is running in this folder"))
        assert stage.app.last_words == "no session is running in this folder"
        assert stage.app.return_code == 1
