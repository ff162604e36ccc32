from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.queries import Commands, Data, Failed
from agent_tui.tui.screens.models import ModelsScreen
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


ROWS: list[dict[str, Any]] = [
    {"value": "opus", "displayName": "opus (claude-opus-5)", "description": "big", "supportedEffortLevels": ["low", "high"]},
    {"value": "sonnet", "displayName": "sonnet", "description": "quick", "supportedEffortLevels": []},
]  # fmt: skip
REPLIES: dict[type[Any], Any] = {Commands: Data({"models": ROWS})}


async def opened(on: Stage) -> None:
    await on.type("/model")
    await on.press("enter")
    assert isinstance(on.app.screen, ModelsScreen)


def sent(on: Stage) -> list[str]:
    return [op.text for op in on.link.of(ops.Prompt)]


async def test_the_one_in_use_is_chosen_first_and_another_is_taken() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        (used,) = [row for row in on.rows if row.startswith(" › sonnet")]
        assert used.endswith("in use")
        await on.press("up", "enter")
        assert sent(on) == ["/model opus"]


async def test_left_and_right_choose_the_effort() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.press("up", "right", "right", "right")
        assert any(row.endswith("effort high") for row in on.rows)
        await on.press("left", "enter")
        assert sent(on) == ["/model opus", "/effort low"]


async def test_any_other_name_is_an_id() -> None:
    async with running(replies=REPLIES) as on:
        await opened(on)
        await on.type("house-7b")
        await on.press("enter")
        assert sent(on) == ["/model house-7b"]


async def test_a_failure_is_said_and_nothing_is_sent() -> None:
    async with running(replies={Commands: Failed("No session is open.")}) as on:
        await opened(on)
        assert "No session is open." in on.text
        await on.press("enter", "escape")
        assert sent(on) == []
