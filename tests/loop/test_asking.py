from __future__ import annotations

import anyio
import pytest

from agent_tui.loop.approvals import Desk
from agent_tui.loop.asking import NobodyThere, PersonAsked
from agent_tui.protocol.display import AskedQuestion, Choice, QuestionDisplay
from agent_tui.protocol.messages import Message
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionAnswer,
    PermissionRequest,
    PermissionUpdate,
    RequestClosed,
)

pytestmark = pytest.mark.anyio

QUESTION = AskedQuestion("Go on?", "Budget", (Choice("Yes"), Choice("No")))


class Room:
    """A desk with a person who gives ``answer``."""

    def __init__(self, answer: PermissionAnswer | None) -> None:
        self._answer = answer
        self.heard: list[Message] = []
        self.desk = Desk(self._hear, lambda request: None, self._apply)

    async def _hear(self, message: Message) -> None:
        self.heard.append(message)

    async def _apply(self, updates: tuple[PermissionUpdate, ...]) -> None:
        raise AssertionError

    async def ask(self, agent: str | None = None) -> str | None:
        given: list[str | None] = []

        async def ask() -> None:
            given.append(await PersonAsked(self.desk, lambda: "r1", agent).ask(QUESTION))

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            if self._answer is None:
                group.cancel_scope.cancel()
            else:
                await self.desk.answer("r1", self._answer)
        return given[0] if given else None


@pytest.mark.parametrize(
    ("answer", "given"),
    [
        (Allow({"answers": {"Go on?": "Yes"}}), "Yes"),
        (Allow({"answers": {"Go on?": "  my own words "}}), "my own words"),
        (Allow({"answers": {"Another?": "Yes"}}), ""),
        (Allow({"answers": "Yes"}), ""),
        (Allow(), ""),
        (Deny(), ""),
        (Deny("no", interrupt=True), ""),
    ],
)
async def test_the_answer_comes_by_the_desk(answer: PermissionAnswer, given: str) -> None:
    room = Room(answer)
    assert await room.ask() == given
    request, closed = room.heard
    assert isinstance(request, PermissionRequest)
    assert (request.tool_name, request.title, request.agent) == ("", "Go on?", None)
    assert request.display == QuestionDisplay((QUESTION,))
    assert closed == RequestClosed("r1", "answered")


async def test_a_question_of_a_sub_agent_names_it() -> None:
    room = Room(Deny())
    await room.ask("look around")
    request = room.heard[0]
    assert isinstance(request, PermissionRequest) and request.agent == "look around"


async def test_cancelled_the_question_is_withdrawn() -> None:
    room = Room(None)
    assert await room.ask() is None
    assert room.heard[-1] == RequestClosed("r1", "withdrawn")


async def test_where_nobody_is_there_nothing_is_answered() -> None:
    assert await NobodyThere().ask(QUESTION) is None
    assert not NobodyThere().there
