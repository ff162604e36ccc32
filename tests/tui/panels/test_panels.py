from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol.display import PlanDisplay
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionRequest,
    PermissionUpdate,
    RequestClosed,
)
from agent_tui.tui.panels.permission import PermissionPanel
from agent_tui.tui.panels.questions import QuestionPanel
from tests.tui.asked import answer, asked
from tests.tui.panels.test_questions import CACHES, question
from tests.tui.scenes import bash_question
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def plan(text: str = "# Rename\n\n1. Find\n2. Rename") -> PermissionRequest:
    return PermissionRequest(
        "p1", "ExitPlanMode", "t8", {"plan": text}, PlanDisplay(text), "Begin with this plan?", "-"
    )


async def test_each_request_opens_the_panel_that_fits_it_and_only_one_is_open() -> None:
    async with running() as on:
        await asked(on, question(CACHES))
        assert isinstance(on.main.panel, QuestionPanel)
        await on.say(bash_question())
        await on.say(RequestClosed("q1", "answered"))
        assert isinstance(on.main.panel, PermissionPanel)
        assert [panel.display for panel in on.main.panels] == [True, False, False]


@pytest.mark.parametrize(("key", "modes"), [("y", []), ("a", ["acceptEdits"])])
async def test_a_plan_is_begun_with_or_without_asking_for_edits(key: str, modes: list[str]) -> None:
    async with running() as on:
        await asked(on, plan())
        assert any("2. Rename" in row for row in on.rows)
        assert not any("This session" in row for row in on.rows)
        await on.press(key)
        given = answer(on)
        assert isinstance(given, Allow)
        assert [update.mode for update in given.updated_permissions] == modes


async def test_a_plan_may_be_begun_in_auto_where_that_is_offered() -> None:
    request = replace(plan(), suggestions=(PermissionUpdate("setMode", mode="auto"),))
    async with running() as on:
        await asked(on, request)
        assert any("Yes, in auto" in row for row in on.rows)
        await on.press("s")
        given = answer(on)
        assert isinstance(given, Allow)
        [update] = given.updated_permissions
        assert (update.mode, update.destination) == ("auto", "session")
    async with running() as on:
        await asked(on, plan())
        assert not any("in auto" in row for row in on.rows)


async def test_a_plan_is_refused_with_what_should_be_otherwise() -> None:
    async with running() as on:
        await asked(on, plan())
        await on.press("enter")
        await on.type("keep the old name")
        await on.press("enter")
        assert answer(on) == Deny(message="keep the old name")


async def test_a_plan_is_edited_first_and_the_model_goes_by_what_it_is_then() -> None:
    async with running() as on:
        await asked(on, plan("# Rename\n\n1. Find"))
        await on.press("e")
        await on.press("down", "down", "end", "ctrl+j")
        await on.type("2. test")
        assert any("changed by you" in row for row in on.rows)
        await on.press("escape", "a")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.updated_input == {"plan": "# Rename\n\n1. Find\n2. test"}
        assert [update.mode for update in given.updated_permissions] == ["acceptEdits"]
        assert given.note == ""
