from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.queries import ChangeOf, Changes, Failed, TakeBack
from agent_tui.protocol.reviews import ChangeList, FileChange, TakenBack
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.screens.review import ReviewScreen
from tests.tui.changes import CHANGES, change_of
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


def change(query: ChangeOf) -> FileChange:
    return change_of(query.path)


REPLIES: dict[type[Any], Any] = {
    Changes: CHANGES,
    ChangeOf: change,
    TakeBack: TakenBack(),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def opened(on: Stage) -> ReviewScreen:
    on.main.doing.show_review()
    await on.settle()
    await on.settle()
    screen = on.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


async def test_files_stand_left_and_their_changes_right() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        rows = on.rows
        assert rows[0].startswith(" Review  this session against its start   +6 −3  in 3 files")
        assert rows[4].startswith(" ›   auth.py             +2 −1  │")
        assert "src/auth.py" in rows[3]
        await on.press("J")
        assert "class Scheduler · tick" in on.text
        assert "›" in next(row for row in on.rows if "119 −" in row)
        assert "⋮  84 unchanged lines" in on.text


async def test_a_comment_on_a_line_and_one_on_two_are_sent_as_one_message() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press("J", "down", "down", "c")
        await on.type("from settings")
        assert "a comment is being written" in on.text
        at = next(n for n, row in enumerate(on.rows) if "✎ line 120" in row)
        assert "EARLY" in on.rows[at - 1]
        assert "from settings" in on.rows[at + 1]
        assert "client.get" in on.rows[at + 2]
        await on.press("enter")
        assert "1 comment in 1 file" in on.text
        await on.press("j", "shift+down", "c")
        await on.type("why")
        await on.press("enter")
        assert "1✎" not in on.text
        assert "2✎" in on.text
        await on.press("R")
        assert isinstance(on.app.screen, MainScreen)
        (sent,) = on.link.of(ops.Prompt)
        assert "src/scheduler.py, line 120:\n> +        self.next_at" in sent.text
        assert "from settings" in sent.text
        assert sent.text.endswith("why")
        await opened(on)
        assert "comment in" not in on.text


async def test_comments_are_kept_when_one_leaves_and_comes_back() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press("c")
        await on.type("hm")
        await on.press("enter", "escape")
        assert "1 comment kept, /diff goes on" in on.text
        await opened(on)
        assert "1 comment in 1 file" in on.text
        await on.press("c")
        assert "hm" in on.text  # the same one is edited
        await on.press("ctrl+u", "enter")
        assert "1 comment" not in on.text


async def test_what_was_being_written_can_be_yanked_back() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press("c")
        await on.type("half a")
        await on.press("escape")
        assert "ctrl+y brings the words back" in on.text
        await on.press("c", "ctrl+y")
        assert "half a" in on.text
        assert isinstance(on.app.screen, ReviewScreen)


async def test_a_hunk_is_taken_back_and_a_whole_file_when_it_is_said_twice() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press("J", "j", "x")
        await on.settle()
        taken = [query for query in on.link.asked if isinstance(query, TakeBack)]
        assert taken == [TakeBack("/w/src/scheduler.py", "2", "session", 1, 3)]
        assert "this hunk is taken back" in on.text
        await on.press("X")
        assert "X again takes back all" in on.text
        await on.press("X")
        await on.settle()
        taken = [query for query in on.link.asked if isinstance(query, TakeBack)]
        assert taken[-1].hunk is None
        on.link.replies[TakeBack] = TakenBack("it has changed")
        await on.press("x")
        await on.settle()
        assert "it has changed" in on.text


async def test_the_scope_changes_and_more_lines_can_be_seen() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press("tab")
        assert "since the last prompt" in on.text
        assert on.link.asked[-1] == ChangeOf("/w/src/auth.py", "prompt", 3)
        await on.press("+")
        assert on.link.asked[-1] == ChangeOf("/w/src/auth.py", "prompt", 12)
        await on.press("-", "t")
        assert on.link.asked[-1] == ChangeOf("/w/src/auth.py", "session", 3)


async def test_seen_files_are_counted_and_the_next_one_comes() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press("v")
        assert "seen 1 of 3" in on.text
        assert "class Scheduler" in on.text
        await on.press("K", "v")
        assert "seen 0 of 3" in on.text


async def test_hunks_lead_on_to_the_next_file() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press("j")
        assert "src/scheduler.py" in on.rows[3]
        await on.press("j", "j")
        assert "CHANGELOG.md" in on.rows[3]
        await on.press("k")
        assert "src/scheduler.py" in on.rows[3]
        assert any(row[33:34] == "›" and "sleep(60)" in row for row in on.rows)


async def test_side_by_side() -> None:
    async with running(replies=REPLIES, size=(160, 30)) as on:
        await opened(on)
        await on.press("J", "s")
        row = next(row for row in on.rows if "119 −" in row)
        assert "119 +" in row


async def test_in_a_narrow_terminal_tab_goes_between_files_and_changes() -> None:
    async with running(replies=REPLIES, size=(60, 24)) as on:
        await opened(on)
        assert "seen 0 of 3" in on.text
        await on.press("down", "tab")
        assert "class Scheduler" in on.text
        assert "seen 0" not in on.text
        await on.press("c")
        await on.type("hm")
        await on.press("enter", "tab")
        assert "1✎" in on.text


async def test_what_can_t_be_shown_is_said() -> None:
    async with running(replies={Changes: ChangeList(kept=False)}) as on:
        await opened(on)
        assert "is not kept in this session" in on.text
        await on.press("c", "x", "X", "v", "j", "R")
        assert isinstance(on.app.screen, ReviewScreen)
    async with running(replies={Changes: Failed("the engine\x1b[0m is gone")}) as on:
        await opened(on)
        assert "the engine is gone" in on.text
        await on.press("escape")
        assert isinstance(on.app.screen, MainScreen)
