from __future__ import annotations

from typing import Any, cast

import pytest

from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionAnswer,
    PermissionRequest,
)
from agent_tui.protocol.requests import PermissionRuleValue as OurRule
from agent_tui.protocol.requests import PermissionUpdate as OurUpdate
from agent_tui.sdk import (
    PermissionResultAllow,
    PermissionResultDeny,
    PermissionRuleValue,
    PermissionUpdate,
    ToolPermissionContext,
)
from agent_tui.sdk.approver import ProgramApprover, context_of

pytestmark = pytest.mark.anyio

REQUEST = PermissionRequest(
    id="r1",
    tool_name="Bash",
    tool_use_id="t1",
    input={"command": "touch z", "description": "Make z"},
    display=TextDisplay("touch z"),
    title="Run touch z?",
    reason="No rule allows it.",
    suggestions=(
        OurUpdate(
            "addRules", (OurRule("Bash", "touch z *"),), "allow", destination="localSettings"
        ),
        OurUpdate("addDirectories", directories=("/elsewhere",)),
        OurUpdate("setMode", mode="acceptEdits"),
    ),
    blocked_path="/elsewhere/z",
    agent="Explore: find it",
    agent_id="a1",
)


async def answer(given: Any) -> PermissionAnswer:
    """Give what the session is told when the program answers ``given``."""

    async def can_use_tool(*_: Any) -> Any:
        if isinstance(given, Exception):
            raise given
        return given

    return await ProgramApprover(can_use_tool).decide(REQUEST)


async def test_the_callback_is_told_of_the_call_and_its_context() -> None:
    told: list[Any] = []

    async def can_use_tool(name: str, given: dict[str, Any], context: ToolPermissionContext) -> Any:
        told.extend((name, given, context))
        given["command"] = "changed"
        return PermissionResultAllow()

    await ProgramApprover(can_use_tool).decide(REQUEST)
    assert told[0] == "Bash"
    assert told[2] == context_of(REQUEST)
    assert REQUEST.input["command"] == "touch z"


def test_the_context_has_all_that_is_known() -> None:
    assert context_of(REQUEST) == ToolPermissionContext(
        signal=None,
        suggestions=[
            PermissionUpdate(
                "addRules",
                [PermissionRuleValue("Bash", "touch z *")],
                "allow",
                destination="localSettings",
            ),
            PermissionUpdate("addDirectories", directories=["/elsewhere"], destination="session"),
            PermissionUpdate("setMode", mode="acceptEdits", destination="session"),
        ],
        tool_use_id="t1",
        agent_id="a1",
        blocked_path="/elsewhere/z",
        decision_reason="No rule allows it.",
        title="Run touch z?",
        display_name="Bash",
        description="Make z",
    )


async def test_allow_may_change_the_input_and_the_permissions() -> None:
    update = PermissionUpdate("addRules", [PermissionRuleValue("Bash", "touch *")], "allow")
    given = PermissionResultAllow(updated_input={"command": "true"}, updated_permissions=[update])
    assert await answer(given) == Allow(
        {"command": "true"}, (OurUpdate("addRules", (OurRule("Bash", "touch *"),), "allow"),)
    )


async def test_plain_answers_are_passed_on() -> None:
    assert await answer(PermissionResultAllow()) == Allow()
    assert await answer(PermissionResultDeny(message="no way", interrupt=True)) == Deny(
        "no way", True
    )


@pytest.mark.parametrize(
    "wrong",
    [
        PermissionUpdate("addRules"),
        PermissionUpdate("setMode", mode=cast("Any", "yolo")),
        PermissionUpdate("addDirectories"),
        "no update",
    ],
)
async def test_an_update_that_can_t_be_used_voids_all_and_the_call_is_allowed(wrong: Any) -> None:
    good = PermissionUpdate("setMode", mode="plan")
    assert await answer(PermissionResultAllow(updated_permissions=[good, wrong])) == Allow()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (LookupError("lost it"), "LookupError: lost it"),
        (RuntimeError(), "RuntimeError"),
        (None, "NoneType"),
        ({"behavior": "allow"}, "dict"),
        (PermissionResultAllow(updated_input="text"), "updated_input"),  # pyright: ignore[reportArgumentType]
    ],
)
async def test_a_fault_or_a_wrong_answer_is_a_denial_that_says_so(given: Any, said: str) -> None:
    found = await answer(given)
    assert isinstance(found, Deny)
    assert said in found.message
    assert not found.interrupt
