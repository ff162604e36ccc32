from __future__ import annotations

import pytest

from agent_tui.protocol.messages import ResultMessage
from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_it_changes_the_mode(place: Place) -> None:
    talk = await place.talk("/plan")
    assert [m.data["permissionMode"] for m in talk.system("status")] == ["plan"]
    assert said(talk).startswith("Plan mode")
    again = await place.mode("plan").talk("/plan")
    assert again.result.is_error


async def test_a_task_is_asked_at_once_in_plan_mode(place: Place) -> None:
    place.api.enqueue("a plan")
    talk = await place.talk("/plan paint the shed")
    (request,) = place.api.messages
    assert "paint the shed" in str(request.body)
    assert talk.texts == ["a plan"]
    assert len([m for m in talk.heard if isinstance(m, ResultMessage)]) == 1
    assert talk.result.num_turns == 1
    assert [m.data["permissionMode"] for m in talk.system("status")][:1] == ["plan"]
