"""Side questions, asked while a run goes."""

from __future__ import annotations

import anyio
import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.replies import Answerer
from agent_tui.protocol.asides import Aside, AsideAnswer
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import AssistantMessage, ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.queries import Failed
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


async def test_before_a_session_is_open_there_is_no_answer(place: Place) -> None:
    assert isinstance(await Answerer(place.env).answer(Aside("why?")), Failed)


async def test_it_is_answered_in_the_middle_of_a_run(place: Place) -> None:
    gate = place.project / "gate"
    waits = f"until [ -e {gate} ]; do sleep 0.02; done"
    place.api.enqueue(reply(tool("Bash", command=waits)), "a side answer", "done")

    async def body(opened: OpenSession) -> None:
        answerer = Answerer(place.env)
        answerer.attach(opened)
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("wait", "00000000-0000-4000-8000-000000000000"))
            async for message in messages:
                if isinstance(message, AssistantMessage):
                    break  # its first answer is here, and the command waits
            with anyio.fail_after(20):
                answer = await answerer.answer(Aside("how long?"))
            assert isinstance(answer, AsideAnswer)
            assert answer.text == "a side answer"
            assert opened.running
            await anyio.Path(gate).touch()
            async for message in messages:
                if isinstance(message, ResultMessage):
                    assert message.result == "done"
                    break
        with pytest.raises(UsageError):
            await answerer.answer(Aside("  "))

    await place.run(body)
    _, beside, last = (str(request.body["messages"]) for request in place.api.messages)
    assert "how long?" in beside
    assert "how long?" not in last
