from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from agent_tui.protocol.looking import ModelSpent, PromptSpent, Spending, Spent
from agent_tui.tui.screens.cost import CostBody, CostScreen
from agent_tui.tui.theme import Uncoloured
from tests.tui.host import Host
from tests.tui.look import look, page, texts
from tests.tui.stage import running

pytestmark = pytest.mark.anyio

SPENT = Spent(
    models=(
        ModelSpent("sonnet", 18_200, 604_000, 37_500, 12_900, 0.3981),
        ModelSpent("haiku", 4100, 0, 0, 400, None),
    ),
    prompts=(
        PromptSpent("2026-11-30T14:02:00Z", "The refresh-token tests fail since the httpx bump. Find out why", 4, 0.0312),
        PromptSpent("2026-11-30T14:15:00Z", "rename Session to TokenSession everywhere", 19, 0.2134),
        PromptSpent("2026-11-30T14:28:00Z", "then update CHANGELOG.md", 1, None),
    ),
    total_usd=0.4127,
    cache_share=0.91,
    warm_for=220.0,
    cold_usd=0.19,
    window_tokens=62_100,
)  # fmt: skip


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def drawn(width: int, spent: Spent = SPENT, budget: float | None = 5.0) -> list[str]:
    body = CostBody(look(), budget)
    body.spent = spent
    return texts(body.draw(page(width)))


def test_it_sums_up_lists_models_and_each_prompt() -> None:
    rows = drawn(120)
    assert rows[0].startswith("   $0.4127 of $5  8%")
    assert rows[0].endswith("cache 91% of input, warm for 3:40   cold resend $0.19")
    assert rows[2].strip().startswith("Model  ") and rows[2].endswith("Cost")
    assert rows[4].split() == ["sonnet", "18.2k", "604k", "37.5k", "12.9k", "$0.3981"]
    assert rows[5].split() == ["haiku", "4.1k", "0", "0", "400", "$?"]
    assert "The refresh-token tests fail since the httpx…" in rows[7] and "4 turns" in rows[7]
    assert "$0.2134" in rows[8] and rows[8].count("━") > rows[7].count("━") > 0
    assert "1 turn " in rows[9] and "$?" in rows[9] and "━" not in rows[9]


def test_the_dearest_prompt_has_the_accent_and_the_others_do_not() -> None:
    body = CostBody(look(), None)
    body.spent = SPENT
    rows = list(body.draw(page(120)))
    theme = look().theme
    bars = [[style for text, style, _ in rows[at].strip if "━" in text] for at in (7, 8)]
    assert bars == [[theme.style("muted")], [theme.style("accent")]]


@pytest.mark.parametrize("width", [30, 40, 50, 60, 80, 100, 120, 200])
def test_every_row_fits_and_cost_is_always_told(width: int) -> None:
    body = CostBody(look(), 5.0)
    body.spent = SPENT
    rows = body.draw(page(width))
    assert all(row.strip.cell_length == width for row in rows)
    assert any("$0.2134" in row.strip.text for row in rows) or width < 40
    assert any("sonnet" in row.strip.text for row in rows)


def test_what_is_not_known_is_left_out() -> None:
    rows = drawn(120, Spent(), None)
    assert rows == ["   $?", "", "   Nothing was asked of a model yet."]
    cold = drawn(120, Spent(total_usd=0.0, warm_for=0.0, cache_share=0.0), None)
    assert "cache 0% of input, cold now" in cold[0]
    waiting = CostBody(look(), None)
    assert texts(waiting.draw(page(80))) == ["   adding up"]


async def test_the_command_and_its_other_name_open_it() -> None:
    replies: dict[type[Any], Any] = {Spending: SPENT}
    async with running(replies=replies) as on:
        for command in ("/cost", "/usage"):
            await on.type(command)
            on.clock.now += 10
            await on.press("escape", "enter")
            assert isinstance(on.app.screen, CostScreen)
            assert "$0.4127 of $5" in on.text
            await on.press("q")
            assert on.app.screen is on.main


class Picture(Host):
    """The sums and lists alone."""

    CSS = "Screen { background: $role-bg; overflow: hidden; } CostBody { height: 1fr; }"

    def __init__(self, theme: str) -> None:
        body = CostBody(look(theme), 5.0)
        body.spent = SPENT
        super().__init__(look(theme), body)
        if theme == "no-colour":
            self._filters = [Uncoloured()]


@pytest.mark.parametrize(
    ("theme", "size"),
    [("dark", (120, 20)), ("dark", (80, 20)), ("dark", (50, 20)), ("light", (120, 20)), ("high-contrast", (120, 20)), ("sixteen", (120, 20)), ("no-colour", (120, 20))],
)  # fmt: skip
def test_its_picture(
    theme: str,
    size: tuple[int, int],
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    assert snap_compare(Picture(theme), terminal_size=size)
