from __future__ import annotations

import pytest

from agent_tui.tui.panes.changed_files import ChangedFiles
from agent_tui.view.remarks import Remarks, Spot
from tests.tui.changes import FILES
from tests.tui.host import Host, screen_rows
from tests.tui.look import look

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_folders_come_first_and_the_chosen_one_is_marked() -> None:
    remarks = Remarks()
    pane = ChangedFiles(look(), remarks)
    pane.styles.height = 12
    host = Host(look(), pane)
    async with host.run_test(size=(32, 12)) as pilot:
        remarks.put(Spot(FILES[1].path, "", "new", 1, 1, ()), "hm")
        pane.show(FILES)
        pane.choose(1)
        await pilot.pause()
        assert screen_rows(host)[1:8] == [
            "   ▾ src",
            "     auth.py             +2 −1",
            " ›   scheduler.py   1✎   +3 −2",
            "   CHANGELOG.md             +1",
            "",
            "   seen 0 of 3",
            "",
        ]
        assert pane.file_at(4) == 2
        assert pane.file_at(1) is None
        assert pane.current == FILES[1]
        pane.seen = {FILES[0].path}
        pane.show(FILES[:2])
        assert pane.current == FILES[1]
        await pilot.pause()
        assert "seen 1 of 2" in "\n".join(screen_rows(host))
        assert not pane.choose(7)


async def test_without_files_it_says_why() -> None:
    pane = ChangedFiles(look(), Remarks())
    host = Host(look(), pane)
    async with host.run_test(size=(32, 6)) as pilot:
        pane.show((), "nothing was changed")
        await pilot.pause()
        assert "nothing was changed" in "\n".join(screen_rows(host))
        assert pane.current is None


async def test_a_long_list_follows_the_chosen_one() -> None:
    pane = ChangedFiles(look(), Remarks())
    pane.styles.height = 4
    host = Host(look(), pane)
    async with host.run_test(size=(32, 4)) as pilot:
        pane.show(FILES)
        pane.choose(2)
        await pilot.pause()
        assert "CHANGELOG" in "\n".join(screen_rows(host))
        pane.choose(0)
        await pilot.pause()
        assert pane.top == 0
