from __future__ import annotations

import pytest

from agent_tui.engine.answering import Answering
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionAnswer,
    PermissionRequest,
    PermissionUpdate,
)
from tests.engine.sessions import Answers

pytestmark = pytest.mark.anyio

CHANGE = PermissionUpdate("setMode", mode="acceptEdits")
REQUEST = PermissionRequest("r", "Bash", "t", {}, TextDisplay(), "Run?", "why")


@pytest.mark.parametrize(
    ("answer", "changes"),
    [(Allow(updated_permissions=(CHANGE,)), [CHANGE]), (Allow(), []), (Deny("no"), [])],
)
async def test_the_changes_of_an_answer_are_carried_out(
    answer: PermissionAnswer, changes: list[PermissionUpdate]
) -> None:
    taken: list[PermissionUpdate] = []

    async def take(updates: tuple[PermissionUpdate, ...]) -> None:
        taken.extend(updates)

    assert await Answering(Answers(lambda _: answer), take).decide(REQUEST) == answer
    assert taken == changes
