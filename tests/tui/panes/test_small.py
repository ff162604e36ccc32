from __future__ import annotations

import pytest

from agent_tui.protocol import ops
from agent_tui.tui.panels.pace import AFTER_ANSWER, GRACE, TYPING_PAUSE
from agent_tui.tui.panes.small import too_small
from tests.tui.asked import asked
from tests.tui.scenes import bash_question, busy
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def test_what_is_too_small() -> None:
    assert too_small(20, 5) and too_small(120, 5) and too_small(20, 40)
    assert not too_small(24, 6)


async def test_it_says_so_and_what_is_typed_is_kept() -> None:
    async with running(size=(20, 5)) as on:
        assert on.rows[:2] == ["Too little room.", "It takes 24x6."]
        await on.press("a", "b")
        await on.pilot.resize_terminal(80, 24)
        await on.settle()
        assert on.main.prompt.value == "ab"
        assert "Too little room." not in on.text


async def test_no_question_is_answered_unseen() -> None:
    async with running() as on:
        await asked(on, bash_question())
        await on.pilot.resize_terminal(20, 5)
        await on.settle()
        await on.press("y", "enter")
        assert not on.link.of(ops.Answer)
        await on.pilot.resize_terminal(120, 40)
        await on.settle()
        await on.pass_time(TYPING_PAUSE + GRACE)
        await on.press("y")  # it is dangerous: that only chooses
        await on.pass_time(AFTER_ANSWER)
        await on.press("enter")
        assert len(on.link.of(ops.Answer)) == 1


async def test_a_question_that_comes_meanwhile_waits() -> None:
    async with running(size=(20, 5)) as on:
        await on.say(busy(), bash_question())
        await on.pass_time(TYPING_PAUSE)
        assert on.main.panel.request is None
        await on.pilot.resize_terminal(120, 40)
        await on.settle()
        await on.pass_time(TYPING_PAUSE)
        assert on.main.panel.request is not None
