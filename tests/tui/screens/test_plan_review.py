from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.display import PlanDisplay
from agent_tui.protocol.messages import UserMessage
from agent_tui.protocol.requests import Deny, RequestClosed
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.screens.plan_review import PlanReviewScreen, plan_lines
from tests.tui.scenes import bash_question, status
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio

PLAN = "# Renew early\n\n1. Add a guard\n2. Bump the version\n"
ASKED = replace(
    bash_question(),
    id="p1",
    tool_name="ExitPlanMode",
    input={"plan": PLAN},
    display=PlanDisplay(PLAN),
    parts=(),
    danger=(),
    suggestions=(),
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def asked(on: Stage) -> None:
    await on.say(UserMessage("plan it", uuid="u1"), status(busy=True), ASKED)
    await on.pass_time(5)
    await on.pass_time(5)
    assert on.main.asking.has_keyboard


async def test_comments_on_lines_of_a_plan_are_the_answer() -> None:
    async with running() as on:
        await asked(on)
        await on.press("c")
        assert isinstance(on.app.screen, PlanReviewScreen)
        assert "3   1. Add a guard" in on.text
        await on.press("down", "down", "c")
        await on.type("where")
        assert "✎ line 3" in on.text
        await on.press("enter", "down", "shift+up", "c")
        await on.type("later")
        await on.press("enter", "R")
        (answer,) = on.link.of(ops.Answer)
        assert answer.request_id == "p1"
        assert isinstance(answer.answer, Deny)
        assert not answer.answer.interrupt
        assert "Line 3:\n> 1. Add a guard\nwhere" in answer.answer.message
        assert "Lines 3-4:\n> 1. Add a guard\n> 2. Bump the version\nlater" in answer.answer.message


async def test_comments_stay_when_one_goes_back_to_the_answers() -> None:
    async with running() as on:
        await asked(on)
        await on.press("c", "R")
        assert "there is no comment yet" in on.text
        await on.press("c")
        await on.type("hm")
        await on.press("enter", "escape")
        assert isinstance(on.app.screen, MainScreen)
        assert not on.link.of(ops.Answer)
        await on.pass_time(5)
        await on.press("c")
        assert "1 comment" in on.text
        await on.press("down", "c")
        await on.type("no")
        await on.press("escape")
        assert "ctrl+y" in on.text


async def test_a_question_that_is_over_gets_no_answer() -> None:
    async with running() as on:
        await asked(on)
        await on.press("c", "c")
        await on.type("hm")
        await on.press("enter")
        await on.say(RequestClosed("p1", "answered"))
        await on.press("R")
        assert not on.link.of(ops.Answer)


def test_a_plan_has_its_lines() -> None:
    change = plan_lines(PLAN)
    assert change.lines == 4
    assert change.display.hunks[0].lines[2] == " 1. Add a guard"
