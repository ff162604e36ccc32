from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent_tui.tui.lines import Line, Page, make_line
from agent_tui.tui.panes.sheet import Sheet
from agent_tui.tui.screens.scrolled import Scrolled
from tests.tui.look import look
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Rows(Sheet):
    def draw(self, page: Page) -> Sequence[Line]:
        return [make_line(page, [(f"row {n}", page.theme.style())]) for n in range(100)]


class Own(Scrolled, inherit_bindings=False):
    pressed: str = ""

    def take_key(self, key: str) -> bool:
        self.pressed = key
        return key == "j"


async def test_keys_and_wheel_scroll_and_closing_keys_close() -> None:
    async with running(size=(60, 20)) as on:
        screen = Scrolled(look(), "Title", Rows(look()), (("c", "do"),))
        on.app.push_screen(screen)  # pyright: ignore[reportUnknownMemberType]
        await on.settle()
        assert on.rows[0].strip() == "Title" and "row 0" in on.text
        assert "c do" in on.text and "esc back" in on.text
        await on.press("down", "k", "j")
        assert screen.body.top == 1
        await on.press("pagedown")
        assert screen.body.top == 1 + screen.body.size.height - 1
        await on.press("end")
        assert "row 99" in on.text
        await on.press("home")
        assert screen.body.top == 0
        await on.press("q")
        assert on.app.screen is on.main


async def test_a_screen_may_have_keys_of_its_own() -> None:
    async with running(size=(60, 20)) as on:
        screen = Own(look(), "Title", Rows(look()))
        on.app.push_screen(screen)  # pyright: ignore[reportUnknownMemberType]
        await on.settle()
        await on.press("j")
        assert screen.pressed == "j" and screen.body.top == 0
        await on.press("ctrl+c")
        assert on.app.screen is on.main
