"""Answers that hold for a while, and questions that another answer or another mode decides: whole sessions at a desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from agent_tui.protocol.messages import Message, ResultMessage
from agent_tui.protocol.ops import Answer, Op, Prompt, SetMode
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    GrantLimit,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
    RequestClosed,
)
from tests.engine.agents_at_work import agent_says, ask, with_kinds
from tests.engine.sessions import Place
from tests.fakes.api_server import Reply, reply, tool

pytestmark = pytest.mark.anyio

TOUCH = PermissionRuleValue("Bash", "touch *")


def touches(*names: str) -> Reply:
    return reply(*(tool("Bash", command=f"touch {name}") for name in names))


def granting(limit: GrantLimit | None) -> Allow:
    return Allow(updated_permissions=(PermissionUpdate("addRules", (TOUCH,), limit=limit),))


@dataclass
class Desk:
    """A person at the screen: answers one question after another; ``asked`` are the commands."""

    answers: list[Allow | Deny | Op] = field(default_factory=list[Allow | Deny | Op])
    asked: list[str] = field(default_factory=list[str])
    closed: list[str] = field(default_factory=list[str])
    journal: Path = Path()
    session_id: str = ""

    async def sit(self, place: Place, *prompts: str, hold: int = 1) -> None:
        """Send prompts one after another; answer when ``hold`` questions are open."""

        async def body(opened: OpenSession) -> None:
            self.journal = opened.journal_path
            with opened.session.subscribe() as messages:
                for number, prompt in enumerate(prompts):
                    opened.session.send(Prompt(prompt, f"00000000-0000-4000-8000-{number:012d}"))
                    open_ones: list[str] = []
                    async for message in messages:
                        self._hear(message, open_ones, hold, opened.session.send)
                        if isinstance(message, ResultMessage):
                            self.session_id = message.session_id
                            break

        with anyio.fail_after(25):
            await with_session(place.options, place.env, body)

    def _hear(
        self, message: Message, open_ones: list[str], hold: int, send: Callable[[Op], None]
    ) -> None:
        if isinstance(message, RequestClosed):
            self.closed.append(message.how)
            open_ones[:] = [ident for ident in open_ones if ident != message.id]
            if message.how == "settled" and open_ones:
                self._answer(open_ones[0], send)
        elif isinstance(message, PermissionRequest):
            self.asked.append(str(message.input.get("command") or message.input.get("file_path")))
            open_ones.append(message.id)
            if len(open_ones) >= hold:
                self._answer(open_ones[0], send)

    def _answer(self, request_id: str, send: Callable[[Op], None]) -> None:
        answer = self.answers.pop(0) if self.answers else Deny("enough")
        send(Answer(request_id, answer) if isinstance(answer, Allow | Deny) else answer)


async def test_for_this_task_is_until_its_result(place: Place) -> None:
    place.api.enqueue(touches("a"), touches("b", "c"), "done", touches("d"), "done")
    desk = Desk([granting(GrantLimit(task=True))])
    await desk.sit(place, "first", "second")
    assert desk.asked == ["touch a", "touch d"]
    assert sorted(path.name for path in place.project.iterdir()) == ["a", "b", "c"]


async def test_for_some_calls_is_the_one_asked_about_and_so_many_more(place: Place) -> None:
    place.api.enqueue(touches("a"), touches("b", "c", "d"), "done")
    desk = Desk([granting(GrantLimit(calls=2))])
    await desk.sit(place, "go")
    assert desk.asked == ["touch a", "touch d"]
    assert sorted(path.name for path in place.project.iterdir()) == ["a", "b", "c"]


async def test_calls_that_needed_no_rule_are_not_counted(place: Place) -> None:
    looks = reply(tool("Bash", command="ls"), tool("Bash", command="cat a"))
    place.api.enqueue(touches("a"), looks, touches("b", "c"), "done")
    desk = Desk([granting(GrantLimit(calls=1))])
    await desk.sit(place, "go")
    assert desk.asked == ["touch a", "touch c"]


async def test_minutes_are_written_with_their_end_and_go_on_in_a_resumed_session(
    place: Place,
) -> None:
    place.api.enqueue(touches("a"), touches("b"), "done", touches("c"), "done")
    desk = Desk([granting(GrantLimit(minutes=30))])
    await desk.sit(place, "go")
    [granted] = fold(Reading(desk.journal)).granted
    assert granted.limit is not None
    assert granted.limit.until is not None
    await desk.sit(place.resuming(desk.session_id), "go on")
    assert desk.asked == ["touch a"]
    assert (place.project / "c").exists()


@pytest.mark.parametrize(
    "limit", [GrantLimit(task=True), GrantLimit(calls=9), GrantLimit(minutes=1e-9)]
)
async def test_what_was_for_a_task_or_some_calls_or_is_over_is_gone_when_resumed(
    place: Place, limit: GrantLimit
) -> None:
    place.api.enqueue(touches("a"), "done", touches("b"), "done")
    desk = Desk([granting(limit)])
    await desk.sit(place, "go")
    await desk.sit(place.resuming(desk.session_id), "go on")
    assert desk.asked == ["touch a", "touch b"]


async def test_a_rule_with_a_limit_is_never_stored_in_a_file(place: Place) -> None:
    place.api.enqueue(touches("a"), touches("b"), "done")
    update = PermissionUpdate(
        "addRules", (TOUCH,), destination="localSettings", limit=GrantLimit(calls=1)
    )
    desk = Desk([Allow(updated_permissions=(update,))])
    await desk.sit(place, "go")
    assert desk.asked == ["touch a"]
    assert not (place.project / ".agent-tui").exists()


async def test_a_mode_that_is_switched_to_decides_the_open_question(place: Place) -> None:
    file = place.project / "a.txt"
    place.api.enqueue(reply(tool("Write", file_path=str(file), content="x")), "done")
    desk = Desk([SetMode("acceptEdits")])
    await desk.sit(place, "go")
    assert desk.closed == ["settled"]
    assert file.read_text() == "x"


def helpers(place: Place, *commands: str) -> Place:
    """Sub-agents that work at the same time, each running one command."""
    place.api.enqueue(reply(*(ask(prompt=command) for command in commands)), "done")
    agent_says(place, *(touches(command) for command in commands), *("ok" for _ in commands))
    return with_kinds(place)


async def test_one_answer_decides_the_questions_of_sub_agents_too_as_far_as_it_reaches(
    place: Place,
) -> None:
    desk = Desk([granting(GrantLimit(calls=1)), Deny("no more")])
    await desk.sit(helpers(place, "a", "b", "c"), "go", hold=3)
    assert len(desk.asked) == 3
    assert desk.closed[:2] == ["answered", "settled"]


async def test_a_rule_that_forbids_closes_the_questions_it_is_about_with_no(place: Place) -> None:
    forbids = PermissionUpdate("addRules", (TOUCH,), "deny")
    desk = Desk([Allow(updated_permissions=(forbids,))])
    await desk.sit(helpers(place, "a", "b"), "go", hold=2)
    assert desk.closed == ["answered", "settled"]
    assert len(list(place.project.iterdir())) == 1
