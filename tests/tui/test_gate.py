from __future__ import annotations

import pytest

from agent_tui.link.base import EngineUp
from agent_tui.protocol import ops
from agent_tui.protocol.queries import Complete as CompleteQuery
from agent_tui.protocol.queries import Completions
from agent_tui.tui.gate import Gate
from tests.tui.fake_link import FakeLink

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_ops_wait_in_order_until_the_session_is_opened() -> None:
    link = FakeLink()
    gate = Gate(link)
    early, late = ops.Prompt("early", "1"), ops.Prompt("late", "2")
    gate.send(early)
    gate.send(ops.SetMode("plan"))
    assert link.sent == []
    opening = ops.Open({"cwd": "/x"})
    gate.open(opening)
    gate.send(late)
    assert link.sent == [opening, early, ops.SetMode("plan"), late]
    link.drop()


async def test_queries_and_what_is_said_pass_at_once() -> None:
    link = FakeLink()
    gate = Gate(link)
    assert await gate.ask(CompleteQuery("file", "x")) == Completions()
    link.say(EngineUp())
    assert await anext(aiter(gate.messages())) == EngineUp()
    link.drop()


async def test_what_was_held_back_is_never_sent_when_it_is_closed() -> None:
    link = FakeLink()
    gate = Gate(link)
    gate.send(ops.Prompt("early", "1"))
    await gate.aclose()
    assert link.closed
    assert link.sent == []
    link.drop()
