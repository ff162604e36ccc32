from __future__ import annotations

import pytest

from agent_tui.tui.screens.choosing import Choice, ChoiceList, ChoiceScreen, filtered
from tests.tui.host import Host
from tests.tui.look import look
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


ROWS = (
    Choice("one", "First thing", "about apples", section="Things"),
    Choice("two", "Second thing", "about pears", "ctrl+t", "accent", "Things"),
    Choice("three", "Move on", "about a thing", section="Moves"),
)


class Recording(ChoiceScreen):
    """Keeps where the choice was."""

    def __init__(self) -> None:
        super().__init__(look(), "Things", ROWS, current="two")
        self.visited: list[str] = []

    def moved(self) -> None:
        """Keep it."""
        self.visited.append(self.list.current.id if self.list.current else "")


async def shown(on: Stage) -> tuple[Recording, list[str | None]]:
    given: list[str | None] = []
    screen = Recording()
    on.app.push_screen(screen, given.append)  # pyright: ignore[reportUnknownMemberType]
    await on.settle()
    return screen, given


def test_the_best_fit_comes_first_and_what_is_said_of_a_row_counts_last() -> None:
    assert [row.id for row in filtered(ROWS, "")] == ["one", "two", "three"]
    assert [row.id for row in filtered(ROWS, "thing")] == ["one", "two", "three"]
    assert [row.id for row in filtered(ROWS, "second")] == ["two"]
    assert [row.id for row in filtered(ROWS, "apples")] == ["one"]
    assert filtered(ROWS, "second")[0].matched == (0, 1, 2, 3, 4, 5)
    assert filtered(ROWS, "zzz") == ()


async def test_sections_are_headed_until_something_is_typed() -> None:
    async with running() as on:
        screen, _ = await shown(on)
        rows = [row.strip() for row in on.rows_of(screen.list)]
        assert rows[:6] == [
            "Things",
            "First thing   about apples" + " " * 0,
            rows[2],
            "",
            "Moves",
            "Move on       about a thing",
        ]
        assert rows[2].startswith("› Second thing")
        assert rows[2].endswith("ctrl+t")
        await on.type("move")
        rows = [row.strip() for row in on.rows_of(screen.list)]
        assert rows[0].startswith("› Move on")
        assert rows[1] == ""


async def test_arrows_move_and_enter_takes() -> None:
    async with running() as on:
        screen, given = await shown(on)
        await on.press("down", "down", "up", "enter")
        assert given == ["two"]
        assert screen.visited[-2:] == ["three", "two"]


async def test_escape_takes_nothing_and_nothing_that_fits_is_said() -> None:
    async with running() as on:
        screen, given = await shown(on)
        await on.type("zzz")
        assert "nothing fits" in on.text
        await on.press("enter")
        assert given == []
        await on.press("escape")
        assert given == [None]
        assert not screen.is_attached


async def test_a_click_chooses_and_a_second_one_takes() -> None:
    async with running() as on:
        screen, given = await shown(on)
        await on.pilot.click(ChoiceList, offset=(5, 1))
        assert screen.list.current is not None
        assert screen.list.current.id == "one"
        await on.pilot.click(ChoiceList, offset=(5, 5), times=2)
        await on.settle()
        assert given == ["three"]


async def test_a_long_list_follows_the_choice() -> None:
    rows = [Choice(str(n), f"row {n}") for n in range(50)]
    host = Host(look(), sheet := ChoiceList(look()))
    async with host.run_test(size=(40, 10)) as pilot:
        sheet.styles.height = 10
        sheet.show(rows)
        await pilot.pause()
        assert not sheet.move(-1)
        assert sheet.move(30)
        await pilot.pause()
        assert sheet.top > 0
        assert sheet.current == rows[30]
        assert sheet.move(-30)
        assert sheet.top == 0
