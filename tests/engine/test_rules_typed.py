"""What would rules do that a person is typing for the answer "always"? Asked of a session with an open question."""

from __future__ import annotations

import pytest

from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.engine.replies import Answerer
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Answer, Prompt
from agent_tui.protocol.queries import Data, Failed, WouldAllow
from agent_tui.protocol.requests import Deny, PermissionRequest, PermissionRuleValue
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio

RULES = {
    "make test": (True, ""),
    "make *": (True, ""),
    "make": (False, ""),
    "touch *": (False, ""),
}


async def test_rules_that_are_typed_are_judged_for_the_open_question(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="make test")), "done")
    answerer = Answerer(place.env)
    assert isinstance(await answerer.answer(WouldAllow("x", ())), Failed)
    found: dict[str, object] = {}

    async def body(opened: OpenSession) -> None:
        answerer.attach(opened)
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", "00000000-0000-4000-8000-000000000000"))
            async for message in messages:
                if isinstance(message, PermissionRequest):
                    for text in RULES:
                        rule = PermissionRuleValue("Bash", text)
                        found[text] = await answerer.answer(WouldAllow(message.id, (rule,)))
                    odd = PermissionRuleValue("TaskList", "x")
                    found["odd"] = await answerer.answer(WouldAllow(message.id, (odd,)))
                    opened.session.send(Answer(message.id, Deny()))
                if isinstance(message, ResultMessage):
                    return

    await with_session(place.options, place.env, body)
    odd = found.pop("odd")
    assert found == {
        text: Data({"allows": allows, "why": why}) for text, (allows, why) in RULES.items()
    }
    assert isinstance(odd, Data)
    assert odd.data["allows"] is False
    assert "takes no specifier" in str(odd.data["why"])
