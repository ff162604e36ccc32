from __future__ import annotations

import anyio
import pytest

from agent_tui.loop.approvals import DenyAll, Desk
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.messages import Message
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionAnswer,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
    RequestClosed,
)

pytestmark = pytest.mark.anyio

ALWAYS = PermissionUpdate("addRules", (PermissionRuleValue("Bash", "touch *"),))


def request(name: str) -> PermissionRequest:
    return PermissionRequest(name, "Bash", f"t{name}", {"command": name}, TextDisplay(), "?", "why")


class Front:
    """Hears what the desk says and keeps what answers changed; ``settled`` are requests the new rules cover."""

    def __init__(self) -> None:
        self.said: list[Message] = []
        self.applied: list[PermissionUpdate] = []
        self.settled: set[str] = set()
        self.desk = Desk(self.emit, self.settle, self.apply)

    async def emit(self, message: Message) -> None:
        self.said.append(message)

    async def apply(self, updates: tuple[PermissionUpdate, ...]) -> None:
        self.applied.extend(updates)

    def settle(self, open_request: PermissionRequest) -> PermissionAnswer | None:
        return Allow() if open_request.id in self.settled and self.applied else None

    def closed(self) -> list[RequestClosed]:
        return [m for m in self.said if isinstance(m, RequestClosed)]


async def test_the_first_answer_counts_and_later_ones_are_ignored() -> None:
    front = Front()
    answers: list[PermissionAnswer] = []

    async def ask() -> None:
        answers.append(await front.desk.decide(request("1")))

    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        await front.desk.answer("1", Deny("no"))
        await front.desk.answer("1", Allow())
        await front.desk.answer("unknown", Allow())
    assert answers == [Deny("no")]
    assert front.said == [request("1"), RequestClosed("1", "answered")]


async def test_a_cancelled_question_is_withdrawn() -> None:
    front = Front()
    async with anyio.create_task_group() as group:
        group.start_soon(front.desk.decide, request("1"))
        await anyio.wait_all_tasks_blocked()
        assert front.desk.open_requests == (request("1"),)
        group.cancel_scope.cancel()
    assert front.closed() == [RequestClosed("1", "withdrawn")]
    assert front.desk.open_requests == ()


async def test_an_always_settles_the_others_it_covers() -> None:
    front = Front()
    front.settled = {"2"}
    answers: dict[str, PermissionAnswer] = {}

    async def ask(name: str) -> None:
        answers[name] = await front.desk.decide(request(name))

    async with anyio.create_task_group() as group:
        for name in "123":
            group.start_soon(ask, name)
        await anyio.wait_all_tasks_blocked()
        await front.desk.answer("1", Allow(updated_permissions=(ALWAYS,)))
        await anyio.wait_all_tasks_blocked()
        assert sorted(answers) == ["1", "2"]
        assert [r.id for r in front.desk.open_requests] == ["3"]
        await front.desk.answer("3", Deny())
    assert front.applied == [ALWAYS]
    assert front.closed() == [
        RequestClosed("1", "answered"),
        RequestClosed("2", "settled"),
        RequestClosed("3", "answered"),
    ]


async def test_with_nobody_to_ask_the_answer_is_no_and_says_why() -> None:
    answer = await DenyAll().decide(request("1"))
    assert isinstance(answer, Deny)
    assert "why" in answer.message
    assert not answer.interrupt


async def test_open_questions_are_decided_anew_when_something_else_has_changed() -> None:
    verdicts: dict[str, PermissionAnswer] = {}
    said: list[Message] = []

    async def emit(message: Message) -> None:
        said.append(message)

    async def nothing(_: tuple[PermissionUpdate, ...]) -> None:
        pass

    desk = Desk(emit, lambda open_request: verdicts.get(open_request.id), nothing)
    answers: dict[str, PermissionAnswer] = {}

    async def ask(name: str) -> None:
        answers[name] = await desk.decide(request(name))

    async with anyio.create_task_group() as group:
        for name in "123":
            group.start_soon(ask, name)
        await anyio.wait_all_tasks_blocked()
        await desk.reconsider()
        assert len(desk.open_requests) == 3
        verdicts |= {"1": Allow(), "3": Deny("a rule forbids it")}
        await desk.reconsider()
        await anyio.wait_all_tasks_blocked()
        assert answers == verdicts
        assert [r.id for r in desk.open_requests] == ["2"]
        await desk.answer("2", Deny())
    *settled, last = said[-3:]  # in which order they were asked is the event loop's business
    assert {closed.id for closed in settled if isinstance(closed, RequestClosed)} == {"1", "3"}
    assert all(isinstance(closed, RequestClosed) and closed.how == "settled" for closed in settled)
    assert last == RequestClosed("2", "answered")
