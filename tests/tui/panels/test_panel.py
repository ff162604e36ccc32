from __future__ import annotations

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.requests import PermissionRequest
from tests.tui.asked import asked
from tests.tui.panels.test_questions import CACHES, question
from tests.tui.scenes import bash_question, busy, edit_question
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_no_key_counts_before_the_grace_has_passed() -> None:
    async with running() as on:
        await on.say(busy(), question(CACHES))
        await on.press("1", "enter")
        assert on.link.of(ops.Answer) == []
        assert not on.main.panel.sent


async def test_only_the_first_answer_goes_out() -> None:
    async with running() as on:
        await asked(on, question(CACHES))
        await on.press("1", "2", "escape")
        assert len(on.link.of(ops.Answer)) == 1


async def test_closing_forgets_what_was_asked() -> None:
    async with running() as on:
        await asked(on, edit_question())
        panel = on.main.panel
        panel.close()
        assert panel.request is None
        assert not panel.armed
        assert not panel.has_class("-open")


@pytest.mark.parametrize("request_", [edit_question(), bash_question()])
async def test_on_the_lowest_screen_the_chosen_answer_is_in_sight(
    request_: PermissionRequest,
) -> None:
    async with running(size=(40, 10)) as on:
        await asked(on, request_)
        assert any(row.startswith(" › n  No") for row in on.rows)
        await on.press("down")
        assert any(row.startswith(" › y  Yes") for row in on.rows)
