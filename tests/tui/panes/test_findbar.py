from __future__ import annotations

import pytest
from textual import events
from textual.app import App, ComposeResult

from agent_tui.tui.editor import KillRing
from agent_tui.tui.panes.findbar import FindBar
from tests.tui.host import screen_rows
from tests.tui.look import look

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Host(App[None]):
    CSS = "Screen { background: $background; overflow: hidden; }"

    def __init__(self) -> None:
        super().__init__()
        self.bar = FindBar(look(), KillRing())
        self.said: list[object] = []

    def compose(self) -> ComposeResult:
        yield self.bar

    def on_mount(self) -> None:
        self.bar.add_class("-open")
        self.bar.leave = lambda back: self.said.append("back" if back else "stay")
        self.bar.focus()

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        self.said.append(event.by)


async def test_its_keys_step_and_leave_and_all_others_are_typed() -> None:
    host = Host()
    async with host.run_test(size=(80, 5)) as pilot:
        await pilot.press("a", "b", "left", "c", "enter", "up", "down", "f3", "tab", "escape")
        await pilot.pause()
        assert host.bar.value == "acb"
        assert host.said == [-1, -1, 1, -1, "stay", "back"]


async def test_it_says_where_one_is_at_its_right() -> None:
    host = Host()
    async with host.run_test(size=(60, 5)) as pilot:
        await pilot.press("x")
        host.bar.say("place 3 of 14")
        await pilot.pause()
        row = screen_rows(host)[0]
        assert row.startswith(" / x") and row.rstrip().endswith("place 3 of 14")


async def test_a_guard_may_drop_a_key() -> None:
    host = Host()
    dropped: list[str] = []

    def guard(event: events.Key) -> bool:
        dropped.append(event.key)
        return event.key == "b"

    async with host.run_test(size=(60, 5)) as pilot:
        host.bar.guard = guard
        await pilot.press("a", "b", "c")
        assert host.bar.value == "ac" and dropped == ["a", "b", "c"]


def test_hints_name_the_keys_in_use() -> None:
    assert FindBar(look(), KillRing()).hints() == (
        ("enter", "before"),
        ("down", "next"),
        ("tab", "stay here"),
        ("esc", "back"),
    )
