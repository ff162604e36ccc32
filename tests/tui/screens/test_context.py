from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.looking import Spending, Spent
from agent_tui.protocol.queries import ContextUsage, Data
from agent_tui.tui.screens.context import ContextBody, ContextScreen, contents_of
from agent_tui.tui.screens.cost import CostScreen
from agent_tui.tui.theme import Uncoloured
from tests.tui.host import Host
from tests.tui.look import look, page, texts
from tests.tui.stage import running

pytestmark = pytest.mark.anyio

REPORT: dict[str, Any] = {
    "categories": [
        {"name": "System prompt", "tokens": 3100},
        {"name": "System tools", "tokens": 2800},
        {"name": "MCP tools", "tokens": 6400},
        {"name": "Memory files", "tokens": 1900},
        {"name": "Messages", "tokens": 47_900},
        {"name": "Free space", "tokens": 100_000},
    ],
    "totalTokens": 62_100,
    "rawMaxTokens": 200_000,
    "isAutoCompactEnabled": True,
    "autoCompactThreshold": 160_000,
    "model": "sonnet",
    "systemTools": [{"name": str(n)} for n in range(14)],
    "mcpTools": [
        {"name": "a", "serverName": "one", "isLoaded": True},
        {"name": "b", "serverName": "two", "isLoaded": True},
        {"name": "c", "serverName": "three", "isLoaded": False},
    ],
    "memoryFiles": [{}, {}, {}],
    "messageBreakdown": {
        "prompts": 11,
        "userMessageTokens": 2000,
        "assistantMessageTokens": 4000,
        "thinkingTokens": 2000,
        "toolCallTokens": 1000,
        "toolResultTokens": 15_000,
        "attachmentTokens": 0,
        "largestResults": [
            {"name": "Bash", "about": "pytest", "tokens": 9800},
            {"name": "Read", "about": "/w/src/auth.py", "tokens": 6100},
            {"name": "Read", "about": "x", "tokens": 10},
        ],
    },
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def test_the_parts_come_from_the_report_and_messages_are_shared_out_to_what_they_are_made_of() -> (
    None
):
    contents = contents_of(REPORT)
    named = {part.letter: (part.name, part.tokens) for part in contents.parts}
    assert named["T"] == ("Tools, 14 built in", 2800)
    assert named["M"] == ("MCP, 2 servers", 6400)
    assert named["F"] == ("Memory files, 3", 1900)
    assert named["P"][1] == round(47_900 * 6000 / 24_000)
    assert named["H"][1] == round(47_900 * 2000 / 24_000)
    assert named["R"][1] == round(47_900 * 16_000 / 24_000)
    assert "A" not in named
    assert contents.prompts_away == (160_000 - 62_100) * 11 // (named["P"][1] + named["H"][1] + named["R"][1])  # fmt: skip


def test_a_report_with_less_in_it_is_shown_as_far_as_it_goes() -> None:
    contents = contents_of(
        {"categories": [{"name": "Messages", "tokens": 10}], "rawMaxTokens": 100}
    )
    assert [part.letter for part in contents.parts] == ["P"]
    assert contents.limit == 0 and contents.prompts_away is None
    assert contents_of({}).window == 1


def drawn(width: int, theme: str = "dark") -> list[str]:
    body = ContextBody(look(theme))
    body.contents = contents_of(REPORT)
    return texts(body.draw(page(width, theme)))


def test_it_is_one_bar_and_a_list_with_numbers_shares_and_what_can_be_done() -> None:
    rows = drawn(120)
    assert rows[0].startswith("   62.1k of 200k tokens  31%")
    assert rows[0].endswith("compacts at 160k, about 22 prompts away")
    assert rows[2].startswith("   S T M")
    assert rows[3].startswith("   0") and "compaction" in rows[3] and rows[3].endswith("200k")
    assert any("MCP, 2 servers" in row and "6.4k" in row and "3.2%" in row and row.endswith("/mcp to switch one off") for row in rows)  # fmt: skip
    assert any(row.endswith("largest: Bash pytest 9.8k, Read auth.py 6.1k") for row in rows)
    assert rows[-1].split() == ["Free", "138k", "69.0%"]
    assert rows[3].index("compaction") == rows[2].index("│")


@pytest.mark.parametrize("width", [30, 40, 50, 60, 80, 120, 200])
@pytest.mark.parametrize("theme", ["dark", "sixteen", "no-colour"])
def test_every_row_fits(width: int, theme: str) -> None:
    body = ContextBody(look(theme))
    body.contents = contents_of(REPORT)
    for row in body.draw(page(width, theme)):
        assert row.strip.cell_length == width
    assert "System" in "\n".join(drawn(width, theme))


async def test_the_command_opens_the_screen_and_tab_leads_to_the_cost_and_back() -> None:
    replies: dict[type[Any], Any] = {ContextUsage: Data(REPORT), Spending: Spent(total_usd=0.5)}
    async with running(replies=replies) as on:
        await on.type("/context")
        await on.press("escape", "enter")
        assert isinstance(on.app.screen, ContextScreen)
        assert "62.1k of 200k tokens" in on.text and "sonnet" in on.rows[0]
        await on.press("tab")
        assert isinstance(on.app.screen, CostScreen) and "$0.5000 of $5" in on.text
        await on.press("tab")
        assert isinstance(on.app.screen, ContextScreen)
        await on.press("escape")
        assert on.app.screen is on.main and not on.link.of(ops.Prompt)


async def test_c_has_the_window_summarised() -> None:
    async with running(replies={ContextUsage: Data(REPORT)}) as on:
        on.main.doing.show_context()
        await on.settle()
        await on.press("c")
        assert on.app.screen is on.main
        assert [op.text for op in on.link.of(ops.Prompt)] == ["/compact"]


async def test_with_an_argument_or_without_an_answer_nothing_is_made_up() -> None:
    async with running() as on:
        await on.type("/context now")
        await on.press("enter")
        assert [op.text for op in on.link.of(ops.Prompt)] == ["/context now"]
        on.main.doing.show_context()
        await on.settle()
        assert "nothing is known about that" in on.text


class Picture(Host):
    """The picture and the list alone."""

    CSS = "Screen { background: $role-bg; overflow: hidden; } ContextBody { height: 1fr; }"

    def __init__(self, theme: str) -> None:
        body = ContextBody(look(theme))
        body.contents = contents_of(REPORT)
        super().__init__(look(theme), body)
        if theme == "no-colour":
            self._filters = [Uncoloured()]


@pytest.mark.parametrize(
    ("theme", "size"),
    [("dark", (120, 20)), ("dark", (80, 20)), ("dark", (50, 20)), ("light", (120, 20)), ("high-contrast", (120, 20)), ("sixteen", (120, 20)), ("no-colour", (120, 20))],
)  # fmt: skip
def test_its_picture(theme: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(Picture(theme), terminal_size=size)
