"""EnterPlanMode."""

from __future__ import annotations

import pytest

from agent_tui.protocol.access import AskUser
from agent_tui.tools.base import InvalidInputError
from agent_tui.tools.builtin.enter_plan_mode import TOOL
from tests.tools.place import Place
from tests.tools.world import FakeModes, with_modes

pytestmark = pytest.mark.anyio


async def test_it_turns_plan_mode_on_and_tells_the_rules(place: Place) -> None:
    modes = FakeModes()
    output = await with_modes(place, modes).run(TOOL)
    assert modes.mode == "plan"
    assert "ExitPlanMode" in str(output.content)
    assert TOOL.access(TOOL.parse({}), place.folder) == AskUser()


async def test_in_plan_mode_there_is_nothing_to_ask(place: Place) -> None:
    call = with_modes(place, FakeModes("plan")).call()
    with pytest.raises(InvalidInputError, match="in plan mode already"):
        await TOOL.proposal(TOOL.parse({}), call)


async def test_outside_it_the_person_is_asked(place: Place) -> None:
    call = with_modes(place, FakeModes()).call()
    assert await TOOL.proposal(TOOL.parse({}), call) == TOOL.preview(TOOL.parse({}), place.folder)


async def test_where_the_mode_can_not_be_changed_it_says_so(place: Place) -> None:
    assert (await place.run(TOOL)).is_error
