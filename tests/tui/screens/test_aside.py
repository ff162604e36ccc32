from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.asides import Aside, AsideAnswer
from agent_tui.protocol.queries import Failed
from agent_tui.tui.screens.aside import WAITING, AsideScreen
from tests.tui.scenes import begin
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_it_is_asked_while_a_run_goes_and_the_answer_is_copied() -> None:
    told = asyncio.Event()

    async def answer(query: Aside) -> AsideAnswer:
        await told.wait()
        return AsideAnswer("A **quince** is a fruit.", 0.0123)

    replies: dict[type[Any], Any] = {Aside: answer}
    async with running(replies=replies) as on:
        await on.say(*begin())
        await on.type("/btw what is a quince?")
        await on.press("enter")
        assert isinstance(on.app.screen, AsideScreen)
        assert "what is a quince?" in on.text
        assert WAITING in on.text
        assert on.link.of(ops.Prompt) == []
        told.set()
        await on.settle()
        assert "A quince is a fruit." in on.text
        assert on.rows[0].endswith("$0.0123")
        await on.press("down", "pageup", "y")
        assert on.app.clipboard == "A **quince** is a fruit."
        await on.press("escape")
        assert "quince" not in on.text


async def test_a_failure_is_shown_and_an_answer_that_comes_too_late_breaks_nothing() -> None:
    async with running(replies={Aside: Failed("the server is gone")}) as on:
        await on.type("/btw why?")
        await on.press("enter")
        assert "the server is gone" in on.text
        await on.press("y", "q")
        assert on.app.clipboard == ""


async def test_without_a_question_the_engine_says_what_is_missing() -> None:
    async with running() as on:
        await on.type("/btw")
        await on.press("enter")
        assert [op.text for op in on.link.of(ops.Prompt)] == ["/btw"]
