from __future__ import annotations

import anyio
import pytest

from agent_tui.link.base import EngineLost, EngineUp
from agent_tui.protocol import ops
from agent_tui.protocol.queries import Failed, FolderOffer, FolderTrust
from agent_tui.protocol.requests import Deny
from agent_tui.settings.options import Options, TrustOptions
from tests.tui.offered import OFFER, counts, offering
from tests.tui.scenes import status
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a_folder_that_needs_no_question_is_opened_at_once() -> None:
    async with running(up=False, replies=offering(FolderOffer(project="/x"))) as on:
        (asked,) = [one for one in on.link.asked if isinstance(one, FolderTrust)]
        assert Options.from_json(asked.options) == on.main.options
        (opening,) = on.link.of(ops.Open)
        assert Options.from_json(opening.options).trust == TrustOptions()


async def test_an_engine_that_cant_tell_opens_without_any_trust() -> None:
    async with running(up=False, replies={FolderTrust: Failed("no")}) as on:
        (opening,) = on.link.of(ops.Open)
        assert Options.from_json(opening.options).trust == TrustOptions()


async def test_typing_works_meanwhile_and_the_prompt_waits_for_the_answer() -> None:
    found = anyio.Event()

    async def slowly(_query: FolderTrust) -> FolderOffer:
        await found.wait()
        return OFFER

    async with running(up=False, replies={FolderTrust: slowly}) as on:
        await on.type("do it")
        await on.press("enter")
        await on.type("more")
        found.set()
        await on.settle()
        assert on.link.sent == []
        assert on.rows_of(on.main.queue) == [" 1 do it"]
        assert on.main.panel.request is None, "the person is typing"
        await counts(on)
        await on.press("n")
        assert [type(op) for op in on.link.sent] == [ops.Open, ops.Prompt]
        assert on.main.prompt.value == "more"
        await on.say(EngineUp(), status())
        assert on.main.is_up


async def test_the_first_prompt_waits_too() -> None:
    async with running(up=False, replies=offering(), first_prompt="go") as on:
        await counts(on)
        assert on.link.sent == []
        await on.press("o")
        assert [type(op) for op in on.link.sent] == [ops.Open, ops.Prompt]


async def test_the_answer_goes_along_to_the_next_session_of_the_program() -> None:
    async with running(up=False, replies=offering()) as on:
        await counts(on)
        await on.press("o")
        assert on.main.options.trust == TrustOptions("once", "seen-1")
        await on.say(EngineUp(), status())
        on.main.doing.resume("00000000-0000-4000-8000-00000000000a")
        await on.settle()
        asked = [one for link in on.links for one in link.asked if isinstance(one, FolderTrust)]
        assert Options.from_json(asked[-1].options).trust == TrustOptions("once", "seen-1")


async def test_the_question_stays_when_the_engine_is_lost() -> None:
    async with running(up=False, replies=offering()) as on:
        await counts(on)
        await on.say(EngineLost("it was ended by SIGKILL"))
        assert "Do you trust this folder?" in on.text
        await on.press("n")
        assert len(on.link.of(ops.Open)) == 1


async def test_an_answer_to_something_else_is_not_taken() -> None:
    async with running(up=False, replies=offering()) as on:
        await counts(on)
        request = on.main.trusting.requests[0]
        assert not on.main.trusting.take("other", Deny())
        assert on.main.trusting.requests == (request,)
