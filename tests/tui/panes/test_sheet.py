from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent_tui.tui.lines import Line, Page, make_line
from agent_tui.tui.panes.sheet import Sheet
from tests.tui.host import Host, screen_rows
from tests.tui.look import look

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Numbers(Sheet):
    count = 3
    drawn = 0

    def draw(self, page: Page) -> Sequence[Line]:
        self.drawn += 1
        return [make_line(page, [(f"row {n}", page.theme.style())]) for n in range(self.count)]


async def test_it_is_as_high_as_its_rows() -> None:
    sheet = Numbers(look())
    app = Host(sheet.look, sheet)
    async with app.run_test(size=(40, 10)) as pilot:
        assert sheet.size.height == 3
        sheet.count = 5
        sheet.redraw()
        await pilot.pause()
        assert sheet.size.height == 5
        assert screen_rows(app)[4] == "   row 4"


async def test_rows_are_made_only_when_something_changed() -> None:
    sheet = Numbers(look())
    app = Host(sheet.look, sheet)
    async with app.run_test(size=(40, 10)) as pilot:
        before = sheet.drawn
        sheet.refresh()
        await pilot.pause()
        assert sheet.drawn == before


async def test_above_its_limit_it_scrolls() -> None:
    sheet = Numbers(look())
    sheet.count, sheet.max_rows = 20, 4
    app = Host(sheet.look, sheet)
    async with app.run_test(size=(40, 10)) as pilot:
        assert sheet.size.height == 4
        sheet.scroll(6)
        await pilot.pause()
        assert screen_rows(app)[0] == "   row 6"
        sheet.scroll(100)
        await pilot.pause()
        assert screen_rows(app)[3] == "   row 19"
        sheet.count = 2
        sheet.redraw()
        await pilot.pause()
        assert screen_rows(app)[:3] == ["   row 0", "   row 1", ""]
