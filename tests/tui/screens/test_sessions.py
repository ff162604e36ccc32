from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from typing import Any

import pytest
from textual import events

from agent_tui.link.base import EngineUp, OpenFailed
from agent_tui.protocol import ops
from agent_tui.protocol.messages import UserMessage
from agent_tui.protocol.picking import Removed, RemoveSession, Renamed, RenameSession
from agent_tui.protocol.queries import Failed, MessagePage, Page, SessionList, SessionRow, Sessions
from agent_tui.protocol.records import to_record
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.tui.screens.sessions import PREVIEW_PAUSE, SEARCH_PAUSE, SessionsScreen, resuming
from tests.tui.scenes import status
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def session(name: str, title: str, **changes: Any) -> SessionRow:
    values: dict[str, Any] = {
        "session_id": name,
        "title": title,
        "first_prompt": f"first of {name}",
        "cwd": "/w",
        "modified": time.time() - 7300,
        "size": 1_900_000,
        "branch": "main",
        "cost_usd": 0.41,
        "excerpt": f"…an expired token in {name}…",
    }
    return SessionRow(**{**values, **changes})


ROWS = (
    session("s1", "Refresh tokens"),
    session("s2", "あ wide title"),
    session("s3", "", branch=""),
)


def found(query: Sessions) -> SessionList:
    rows = tuple(row for row in ROWS if query.search in f"{row.title} {row.excerpt}")
    return SessionList(rows, 409 if not query.search else 0)


def preview(query: Page) -> MessagePage:
    return MessagePage((to_record(UserMessage(f"said in {query.session_id}", uuid="u")),))


PICK = Options(cwd="/w", session=SessionOptions(resume=""))
REPLIES: dict[type[Any], Any] = {Sessions: found, Page: preview}


async def opened(on: Stage) -> SessionsScreen:
    await on.pilot.pause(PREVIEW_PAUSE + 0.05)
    await on.settle()
    screen = on.app.screen
    assert isinstance(screen, SessionsScreen)
    return screen


async def test_it_lists_sessions_with_a_preview_before_anything_is_opened() -> None:
    async with running(options=PICK, up=False, replies=REPLIES) as on:
        await opened(on)
        assert not on.link.of(ops.Open)
        rows = on.rows
        assert rows[0].startswith(" Resume a session")
        assert rows[1].endswith("3 of 412 sessions")
        assert rows[5].startswith(" › Refresh tokens")
        assert "2 h  main" in rows[5]
        assert "$0.41" in rows[5]
        assert rows[7].startswith("   first of s3")
        assert "said in s1" in on.text


async def test_enter_opens_the_chosen_one_in_its_own_folder() -> None:
    async with running(options=PICK, up=False, replies=REPLIES) as on:
        await opened(on)
        await on.press("down", "enter")
        (opening,) = on.link.of(ops.Open)
        given = Options.from_json(opening.options)
        assert (given.session.resume, given.cwd) == ("s2", "/w")


async def test_a_preview_that_comes_when_the_picker_is_gone_breaks_nothing() -> None:
    asked = asyncio.Event()
    late = asyncio.Event()

    async def page(query: Page) -> MessagePage:
        asked.set()
        await late.wait()
        return MessagePage((to_record(UserMessage("said in s1", uuid="u1")),))

    async with running(options=PICK, up=False, replies={Sessions: found, Page: page}) as on:
        await opened(on)
        await asked.wait()
        picker = on.app.screen
        await on.press("enter")
        assert not picker.is_attached
        late.set()
        await on.settle()
        assert on.app.is_running


async def test_typing_searches_and_marks_what_was_found() -> None:
    async with running(options=PICK, up=False, replies=REPLIES) as on:
        await opened(on)
        await on.type("token in s2")
        await on.pilot.pause(SEARCH_PAUSE + 0.05)
        await opened(on)
        assert [q.search for q in on.link.asked if isinstance(q, Sessions)][-1] == "token in s2"
        assert any("…an expired token in s2…" in row for row in on.rows)
        assert "said in s2" in on.text
        assert not any("Refresh tokens" in row for row in on.rows)


async def test_letters_act_only_in_the_list() -> None:
    async with running(options=PICK, up=False, replies=REPLIES) as on:
        await opened(on)
        await on.press("p")
        assert not any(q.all_projects for q in on.link.asked if isinstance(q, Sessions))
        await on.press("backspace", "tab", "p")
        await opened(on)
        assert [q.all_projects for q in on.link.asked if isinstance(q, Sessions)][-1]


async def test_all_projects_are_told_by_their_folders() -> None:
    async with running(options=PICK, up=False, replies=REPLIES) as on:
        await opened(on)
        await on.press("tab", "p")
        await opened(on)
        assert "Project" in on.rows[3]
        assert "2 h  w " in on.rows[5]


async def test_f_goes_on_in_a_copy() -> None:
    async with running(options=PICK, up=False, replies=REPLIES) as on:
        await opened(on)
        await on.press("tab", "down", "f")
        (opening,) = on.link.of(ops.Open)
        given = Options.from_json(opening.options).session
        assert (given.resume, given.fork) == ("s2", True)


class Stored:
    """Sessions that can be renamed and removed."""

    def __init__(self) -> None:
        self.rows = {row.session_id: row for row in ROWS}
        self.refuses = ""

    def found(self, query: Sessions) -> SessionList:
        return SessionList(tuple(self.rows.values()))

    def rename(self, query: RenameSession) -> Renamed:
        self.rows[query.session_id] = replace(self.rows[query.session_id], title=query.title)
        return Renamed(query.title)

    def remove(self, query: RemoveSession) -> Removed | Failed:
        if self.refuses:
            return Failed(self.refuses)
        del self.rows[query.session_id]
        return Removed("/home/ada/.agent-tui/trash/x")

    @property
    def replies(self) -> dict[type[Any], Any]:
        return {
            Sessions: self.found,
            RenameSession: self.rename,
            RemoveSession: self.remove,
            Page: preview,
        }


async def test_r_renames_in_place() -> None:
    stored = Stored()
    async with running(options=PICK, up=False, replies=stored.replies) as on:
        await opened(on)
        await on.press("tab", "r")
        assert any("New title" in row and "Refresh tokens" in row for row in on.rows)
        await on.press("escape", "r", "ctrl+u")
        await on.type("Better")
        await on.press("enter")
        await opened(on)
        assert stored.rows["s1"].title == "Better"
        assert on.rows[5].startswith(" › Better")


async def test_d_asks_and_only_y_puts_it_into_the_trash() -> None:
    stored = Stored()
    async with running(options=PICK, up=False, replies=stored.replies) as on:
        screen = await opened(on)
        await on.press("tab", "d")
        assert "Delete Refresh tokens?" in on.text
        await on.press("enter")
        assert "Delete" not in on.text
        assert screen.is_attached
        assert len(stored.rows) == 3
        await on.press("d", "y")
        await opened(on)
        assert list(stored.rows) == ["s2", "s3"]
        assert "Refresh tokens" not in on.text
        assert "It is in " in on.text


async def test_one_that_is_in_use_stays_and_it_is_said() -> None:
    stored = Stored()
    stored.refuses = "Session s1 is in use by another process."
    async with running(options=PICK, up=False, replies=stored.replies) as on:
        await opened(on)
        await on.press("tab", "d", "y")
        assert "is in use by another process" in on.text
        assert len(stored.rows) == 3


async def test_a_cold_cache_and_its_price_are_told_before_anything_is_opened() -> None:
    cold = session("s1", "Cold", context_tokens=118_000, resend_usd=0.354)
    warm = session("s2", "Warm", context_tokens=1000)
    replies = {Sessions: SessionList((cold, warm)), Page: preview}
    async with running(options=PICK, up=False, replies=replies) as on:
        await opened(on)
        words = "Cache is cold: the first prompt resends 118k tokens, about $0.35"
        assert words in on.rows[-1]
        assert "118k tokens" in on.text
        await on.press("down")
        assert "Cache is cold" not in on.text


async def test_the_preview_opens_at_the_first_place_found_also_on_an_older_page() -> None:
    def page(query: Page) -> MessagePage:
        def said(text: str, uuid: str) -> dict[str, object]:
            return to_record(UserMessage(text, uuid=uuid))

        if query.before is None:
            many = [said(f"line {n}", f"u{n}") for n in range(30)]
            return MessagePage((*many, said("a token late", "u99")), more=True)
        return MessagePage((said("an early token", "o1"),))

    rows = SessionList((session("s1", "Found", places=2),))
    replies = {Sessions: rows, Page: page}
    async with running(options=PICK, up=False, replies=replies) as on:
        await opened(on)
        await on.type("token")
        await on.pilot.pause(SEARCH_PAUSE + 0.05)
        await opened(on)
        assert "an early token" in on.text
        assert "place 1 of 2   shift+↓ next" in on.text
        await on.press("shift+down")
        assert "place 2 of 2" in on.text
        assert "a token late" in on.text
        assert "2 places" in on.rows[1]
        await on.press("ctrl+o")
        assert "Title" not in on.rows[3]


async def test_escape_leaves_the_program_at_start() -> None:
    async with running(options=PICK, up=False, replies=REPLIES) as on:
        await opened(on)
        await on.press("escape")
        assert on.app.return_code == 0


async def test_a_narrow_screen_has_one_pane_and_tab_shows_the_other() -> None:
    async with running(options=PICK, up=False, replies=REPLIES, size=(70, 24)) as on:
        await opened(on)
        assert "said in s1" not in on.text
        await on.press("tab", "tab")
        await opened(on)
        assert "said in s1" in on.text


async def test_a_failure_is_shown() -> None:
    replies = {Sessions: Failed("the folder can't be read")}
    async with running(options=PICK, up=False, replies=replies) as on:
        await opened(on)
        assert "the folder can't be read" in on.text


async def test_resume_from_within_a_session_starts_an_engine_of_its_own() -> None:
    async with running(replies=REPLIES) as on:
        await on.type("/resume")
        await on.press("enter")
        await opened(on)
        await on.press("down", "enter")
        await on.settle()
        first, second = on.links
        assert first.closed
        (opening,) = second.of(ops.Open)
        assert Options.from_json(opening.options).session.resume == "s2"
        await on.say(EngineUp(), status(session_id="s2"))
        assert "said in None" in on.text


async def test_a_session_that_can_not_be_opened_leads_back_to_the_one_before() -> None:
    async with running(replies=REPLIES) as on:
        await on.say(UserMessage("something", uuid="u1"))
        await on.type("/resume s9")
        await on.press("enter")
        await on.say(OpenFailed("session s9 is open in another window"))
        await on.settle()
        assert len(on.links) == 3
        (opening,) = on.link.of(ops.Open)
        assert Options.from_json(opening.options).session.resume == status().session_id
        await on.say(EngineUp(), status())
        assert "open in another window" in on.text
        assert on.app.is_running


async def test_a_first_session_that_can_not_be_opened_ends_with_1_and_the_reason() -> None:
    async with running(up=False) as on:
        await on.say(OpenFailed("there is no session abc"))
        assert on.app.return_code == 1
        assert on.app.last_words == "there is no session abc"


def test_resuming_keeps_everything_else_that_was_asked_for() -> None:
    options = Options(cwd=os.getcwd(), demo=True)
    assert resuming(options, "s1").demo
    assert resuming(options, "s1").cwd == options.cwd
    assert resuming(options, "s1", "/else").cwd == "/else"
    copy = resuming(options, "s1", fork=True, title="a try").session
    assert (copy.fork, copy.title) == (True, "a try")


async def test_the_draft_goes_over_into_the_other_session() -> None:
    async with running(replies=REPLIES) as on:
        await on.type("aside")
        await on.press("ctrl+s")
        await on.type("my draft")
        on.main.doing.resume("s2")
        await on.settle()
        await on.say(EngineUp(), status(session_id="s2"))
        assert on.main.prompt.value == "my draft"
        await on.press("ctrl+s", "ctrl+s")
        assert len(on.links) == 2
        assert on.main.prompt.value == "my draft"


async def test_a_prompt_sent_while_the_session_is_closing_comes_along_as_a_draft() -> None:
    async with running(replies=REPLIES) as on:
        before = on.main
        on.app.open_session(resuming(before.options, "s2"))
        for key in ("h", "i", "enter", "x"):
            on.app.post_message(events.Key(key, key if len(key) == 1 else "\r"))
        await on.settle()
        assert not [op for link in on.links for op in link.of(ops.Prompt)]
        assert on.main is not before
        assert on.main.prompt.value.replace("\n", "") == "hix"
