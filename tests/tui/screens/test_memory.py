"""The memory screen."""

from __future__ import annotations

import pytest

from agent_tui.protocol.memory_files import MemoryFiles, MemoryList, MemoryRow
from agent_tui.tui.screens.memory import COUNTS, MemoryScreen
from tests.tui.fake_link import FakeLink
from tests.tui.look import look
from tests.tui.stage import running

pytestmark = pytest.mark.anyio

LIST = MemoryList(
    (
        MemoryRow("/home/sam/.claude/CLAUDE.md", "user", 12),
        MemoryRow("/home/sam/code/checkout/CLAUDE.md", "project", 40),
        MemoryRow(
            "/home/sam/code/checkout/docs/style.md",
            "project",
            1,
            "/home/sam/code/checkout/CLAUDE.md",
        ),
        MemoryRow("/home/sam/code/checkout/CLAUDE.local.md", "local"),
    ),
    (
        "/home/sam/code/checkout/CLAUDE.md imports ~/.ssh/config from outside the project; it was not read.",
    ),
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("size", [(120, 40), (60, 24)])
async def test_it_says_which_files_there_are_and_which_could_be(size: tuple[int, int]) -> None:
    async with running(size=size, replies={MemoryFiles: LIST}) as on:
        await on.type("/memory")
        await on.press("enter")
        await on.settle()
        assert "Memory" in on.rows[0]
        for said in ("CLAUDE.local.md", "not there yet", "40 lines", "1 line", "was not read"):
            assert said in on.text, said
        if size[0] > 80:
            assert "yours, in this project" in on.text
            assert "imported" in on.text
        await on.press("escape")
        assert "not there yet" not in on.text


async def test_enter_has_the_chosen_one_edited_and_says_when_it_counts() -> None:
    edited: list[str] = []

    async def edit(path: str) -> bool:
        edited.append(path)
        return True

    link = FakeLink({MemoryFiles: LIST})
    async with running() as on:
        on.app.push_screen(MemoryScreen(look(), link, edit))
        await on.settle()
        await on.press("down", "down", "down", "down", "up", "enter")
        await on.settle()
        assert edited == ["/home/sam/code/checkout/docs/style.md"]
        assert COUNTS in on.text
        assert len(link.asked) == 2, "it looks again"
