"""ExitPlanMode."""

from __future__ import annotations

import pytest

from agent_tui.protocol.access import AskUser
from agent_tui.protocol.display import PlanDisplay
from agent_tui.tools.base import InvalidInputError
from agent_tui.tools.builtin.exit_plan_mode import TOOL
from tests.tools.place import Place, require_sendable
from tests.tools.world import FakeModes, with_modes

pytestmark = pytest.mark.anyio

PLAN = "1. Change it.\n2. Test it."


async def test_an_approved_plan_ends_plan_mode(place: Place) -> None:
    modes = FakeModes("plan")
    output = await with_modes(place, modes).run(TOOL, plan=PLAN)
    assert modes.mode == "default"
    assert output.structured == {"plan": PLAN, "isAgent": False}
    assert output.display == PlanDisplay(PLAN, outcome="approved")
    assert "approved the plan" in str(output.content)


async def test_a_mode_that_the_answer_chose_stays(place: Place) -> None:
    modes = FakeModes("acceptEdits")
    await with_modes(place, modes).run(TOOL, plan=PLAN)
    assert modes.mode == "acceptEdits"


async def test_a_plan_the_person_edited_is_the_one_that_counts(place: Place) -> None:
    call = with_modes(place, FakeModes("plan")).call()
    args = TOOL.answered({"plan": "Only test it.", "planFilePath": "/plans/a.md"})
    output = await TOOL.run(args, call)
    require_sendable(output)
    assert "Only test it." in str(output.content)
    assert output.structured == {
        "plan": "Only test it.",
        "isAgent": False,
        "filePath": "/plans/a.md",
        "planWasEdited": True,
    }


async def test_the_person_is_shown_the_plan(place: Place) -> None:
    args = TOOL.parse({"plan": PLAN})
    call = with_modes(place, FakeModes("plan")).call()
    assert await TOOL.proposal(args, call) == PlanDisplay(PLAN)
    assert TOOL.access(args, place.folder) == AskUser()


@pytest.mark.parametrize(
    ("mode", "given", "says"),
    [
        ("default", {"plan": PLAN}, "not in plan mode"),
        ("plan", {}, "no plan to show"),
        ("plan", {"plan": " \n"}, "no plan to show"),
    ],
)
async def test_outside_plan_mode_or_without_a_plan_nobody_is_asked(
    place: Place, mode: str, given: dict[str, str], says: str
) -> None:
    call = with_modes(place, FakeModes(mode)).call()
    with pytest.raises(InvalidInputError, match=says):
        await TOOL.proposal(TOOL.parse(given), call)


async def test_where_the_mode_can_not_be_changed_it_says_so(place: Place) -> None:
    assert (await place.run(TOOL, plan=PLAN)).is_error
