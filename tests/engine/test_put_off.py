"""A call that a program's hook puts off: the session ends, another goes on with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

import pytest

from agent_tui.engine.extras import Extras, HookGroup
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.settings.options import SessionOptions
from tests.engine.sessions import Answers, Place, Talk, refused
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio

QUESTION = {
    "question": "Tea or coffee?",
    "header": "Drink",
    "options": [{"label": "Tea", "description": "t"}, {"label": "Coffee", "description": "c"}],
    "multiSelect": False,
}


@dataclass
class Program:
    """Drives sessions; its hook says of each call what is next in ``says``."""

    place: Place
    says: list[JsonObject]
    fired: list[str | None] = field(default_factory=list[str | None])
    asks: Answers | None = None

    async def talk(self, *prompts: str, resume: str | None = None, fork: bool = False) -> Talk:
        session = SessionOptions(resume=resume, fork=fork)
        options = replace(self.place.options, interactive=False, origin="sdk", session=session)
        talk = Talk()

        async def hook(given: JsonObject, call_id: str | None) -> JsonObject:
            self.fired.append(call_id)
            said = self.says.pop(0)
            return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}}

        async def body(opened: OpenSession) -> None:
            with opened.session.subscribe() as messages:
                for number, text in enumerate(prompts):
                    opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                    async for message in messages:
                        talk.heard.append(message)
                        if isinstance(message, ResultMessage):
                            break

        extras = Extras(approver=self.asks, hooks={"PreToolUse": (HookGroup(None, (hook,)),)})
        await with_session(options, self.place.env, body, extras=extras)
        return talk


DEFER: JsonObject = {"permissionDecision": "defer"}


async def test_another_session_decides_and_runs_it(place: Place) -> None:
    file = place.write("a.txt", "plum")
    place.api.enqueue(reply(tool("Read", file_path=str(file))), "Seen.")
    program = Program(place, [DEFER, {"permissionDecision": "allow"}])
    first = (await program.talk("look")).result
    assert (first.subtype, first.stop_reason, first.num_turns) == ("success", "tool_deferred", 1)
    assert first.deferred_tool_use is not None
    assert first.deferred_tool_use["name"] == "Read"
    assert len(place.api.messages) == 1
    again = await program.talk("go on", resume=first.session_id)
    assert (again.result.result, again.result.stop_reason) == ("Seen.", "end_turn")
    assert program.fired == [first.deferred_tool_use["id"]] * 2
    assert "plum" in str(again.tool_results[0].content)
    last = place.api.messages[-1].messages[-1]
    blocks = cast("list[JsonObject]", last["content"])
    assert [block["type"] for block in blocks] == ["tool_result", "text"]
    assert refused(place.api) == []


async def test_a_question_is_answered_elsewhere_and_put_off_until_then(place: Place) -> None:
    place.api.enqueue(reply(tool("AskUserQuestion", questions=[QUESTION])), "Tea it is.")
    answered = {"questions": [QUESTION], "answers": {"Tea or coffee?": "Tea"}}
    allow: JsonObject = {"permissionDecision": "allow", "updatedInput": answered}
    program = Program(place, [DEFER, DEFER, allow], asks=Answers())
    first = (await program.talk("ask me")).result
    again = (await program.talk("anything yet?", resume=first.session_id)).result
    assert again.deferred_tool_use == first.deferred_tool_use
    assert (again.num_turns, len(place.api.messages)) == (0, 1)
    done = await program.talk("now", resume=first.session_id)
    assert done.result.result == "Tea it is."
    assert "Tea" in str(done.tool_results[0].content)
    texts = str(place.api.messages[-1].messages[-1])
    assert "anything yet?" in texts and "now" in texts
    assert refused(place.api) == []


async def test_the_same_session_goes_on_with_the_next_prompt_and_commands_leave_it(
    place: Place,
) -> None:
    file = place.write("a.txt", "plum")
    place.api.enqueue(reply(tool("Read", file_path=str(file))), "Seen.")
    program = Program(place, [DEFER, {"permissionDecision": "allow"}])
    talk = await program.talk("look", "/cost", "go on")
    assert [r.stop_reason for r in talk.results] == ["tool_deferred", None, "end_turn"]
    assert "plum" in str(talk.tool_results[0].content)
    assert refused(place.api) == []


async def test_a_copy_of_the_session_has_it_decided_too(place: Place) -> None:
    file = place.write("a.txt", "plum")
    place.api.enqueue(reply(tool("Read", file_path=str(file))), "Seen.")
    program = Program(place, [DEFER, {"permissionDecision": "deny"}])
    first = (await program.talk("look")).result
    copy = await program.talk("go on", resume=first.session_id, fork=True)
    assert copy.result.session_id != first.session_id
    assert copy.result.result == "Seen."
    assert [r.is_error for r in copy.tool_results] == [True]
    assert refused(place.api) == []


async def test_at_a_screen_the_person_decides_what_was_put_off(place: Place) -> None:
    file = place.write("a.txt", "plum")
    place.api.enqueue(reply(tool("Write", file_path=str(file), content="pear")), "Done.")
    program = Program(place, [DEFER])
    first = (await program.talk("change it")).result
    person = Answers()
    talk = await place.resuming(first.session_id).talk("go on", approver=person)
    assert [request.tool_name for request in person.asked] == ["Write"]
    assert talk.result.result == "Done."
    assert refused(place.api) == []
