from __future__ import annotations

import pytest

from agent_tui.tui.panes.commentable import Commentable
from agent_tui.view.remarks import Remarks
from tests.tui.changes import SCHEDULER
from tests.tui.host import Host, screen_rows
from tests.tui.look import look

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_one_stands_on_lines_and_writes_under_them() -> None:
    remarks = Remarks()
    pane = Commentable(look(), remarks)
    pane.note = "nothing yet"
    host = Host(look(), pane)
    async with host.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert not pane.comment()
        pane.take_keyboard()
        pane.show(SCHEDULER)
        assert pane.hunk == 0
        assert pane.move_hunk(1)
        assert not pane.move_hunk(1)
        assert pane.hunk == 1
        pane.move(1, keep=True)
        assert pane.let_go()
        assert not pane.let_go()
        assert pane.comment()
        assert pane.writing
        await pilot.pause()
        await pilot.press("h", "m", "enter")
        await pilot.pause()
        assert [remark.text for remark in remarks] == ["hm"]
        assert [wrote.word for wrote in host.of(Commentable.Wrote)] == ["", ""]
        pane.comment()
        await pilot.pause()
        pane.leave_comment()
        await pilot.pause()
        assert "ctrl+y" in host.of(Commentable.Wrote)[-1].word
        assert len(remarks) == 1


async def test_the_line_one_stands_on_stays_in_sight() -> None:
    pane = Commentable(look(), Remarks())
    pane.styles.height = 8
    host = Host(look(), pane)
    async with host.run_test(size=(80, 8)) as pilot:
        pane.show(SCHEDULER)
        await pilot.pause()
        pane.move(1 << 30)
        await pilot.pause()
        assert any(row.startswith("›") for row in screen_rows(host))
        pane.move(-1 << 30)
        await pilot.pause()
        assert any(row.startswith("›") for row in screen_rows(host))
        pane.scroll(6)
        await pilot.pause()
        assert not any(row.startswith("› 118") for row in screen_rows(host))


async def test_without_a_change_it_says_why() -> None:
    pane = Commentable(look(), Remarks())
    host = Host(look(), pane)
    async with host.run_test(size=(60, 8)) as pilot:
        pane.show(None, "as it was")
        await pilot.pause()
        assert "as it was" in "\n".join(screen_rows(host))
        assert pane.hunk is None
        assert not pane.two_columns
