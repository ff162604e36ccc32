from __future__ import annotations

import pytest

from agent_tui.protocol.messages import SystemMessage
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_h8_that_nothing_can_be_saved_is_a_lasting_notice() -> None:
    async with running() as on:
        await on.say(SystemMessage("saving", {"state": "failed", "error": "disk full"}))
        assert "not saved: disk full" in on.rows_of(on.main.rule)[0]
        await on.say(SystemMessage("saving", {"state": "ok"}))
        assert "not saved" not in on.rows_of(on.main.rule)[0]


async def test_a_history_search_says_where_it_looks() -> None:
    async with running() as on:
        await on.press("ctrl+r")
        assert "history of this project" in on.rows_of(on.main.rule)[0]
        await on.press("ctrl+s", "ctrl+s")
        assert "history of all projects" in on.rows_of(on.main.rule)[0]
        await on.press("escape")
        assert "history" not in on.rows_of(on.main.rule)[0]
