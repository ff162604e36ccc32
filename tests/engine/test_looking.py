from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.replies import Answerer
from agent_tui.protocol.looking import Find, Found, Inside, Raw, RawLines, Spending, Spent
from agent_tui.protocol.messages import UserMessage
from agent_tui.protocol.queries import Failed, MessagePage, Query, Reply
from agent_tui.protocol.records import from_record
from agent_tui.view.blocks import ToolBlock
from agent_tui.view.transcript import Transcript
from tests.engine.agents_at_work import agent_says, ask, converse, with_kinds
from tests.engine.sessions import Place
from tests.fakes.api_server import ModelFacts, reply, tool

pytestmark = pytest.mark.anyio
near: Any = pytest.approx  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


async def answers(place: Place, *queries: Query) -> list[Reply]:
    """Ask the queries with the session open."""
    got: list[Reply] = []

    async def body(opened: OpenSession) -> None:
        answerer = Answerer(place.env)
        answerer.attach(opened)
        got.extend([await answerer.answer(query) for query in queries])

    await place.run(body)
    return got


async def test_places_are_counted_in_what_was_said_before_a_message(place: Place) -> None:
    place.write("plum.txt", "a plum\n")
    place.api.enqueue(reply(tool("Read", {"file_path": "plum.txt"})), "one **plum**", "no more")
    talk = await place.mode("bypassPermissions").talk("find a PLUM", "and a fig")
    second = next(m for m in talk.heard if isinstance(m, UserMessage) and m.content == "and a fig")
    later = place.resuming(talk.result.session_id)
    all_of_it, before, none = await answers(
        later, Find("plum"), Find("plum", second.uuid), Find("quince")
    )
    assert isinstance(all_of_it, Found) and all_of_it.places >= 4
    assert before == all_of_it
    assert none == Found(0)
    (fig,) = await answers(later, Find("fig", second.uuid))
    assert fig == Found(0)


async def test_the_lines_of_a_call_are_its_request_and_its_result_with_secrets_hidden(
    place: Place,
) -> None:
    place.write("key.txt", f"token = {SECRET}\n")
    place.api.enqueue(reply(tool("Read", {"file_path": "key.txt"})), "done")
    talk = await place.mode("bypassPermissions").talk("read it")
    found, gone = await answers(
        place.resuming(talk.result.session_id), Raw(talk.calls[0].id), Raw("toolu_none")
    )
    assert isinstance(found, RawLines)
    assert [line["type"] for line in found.lines] == ["assistant", "user"]
    text = json.dumps(found.lines)
    assert "key.txt" in text and "[masked]" in text and SECRET not in text
    assert gone == RawLines()


async def test_a_prompt_and_a_response_are_found_by_their_ids(place: Place) -> None:
    place.api.enqueue("hello")
    talk = await place.talk("hi")
    prompt = next(m for m in talk.heard if isinstance(m, UserMessage))
    assert prompt.uuid is not None
    (found,) = await answers(place.resuming(talk.result.session_id), Raw(prompt.uuid))
    assert isinstance(found, RawLines) and len(found.lines) == 1


async def test_money_is_told_by_model_and_by_prompt_and_what_a_cold_cache_costs(
    place: Place,
) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir()
    prices = {
        "mine": {
            "input": 3, "output": 15, "read": 0.3, "write_5m": 3.75,
            "window": 200_000, "max_output": 32_000,
        }
    }  # fmt: skip
    path.write_text(json.dumps({"prices": prices}))
    place.api.settings = replace(place.api.settings, models={"mine": ModelFacts("mine")})
    place.variables["ANTHROPIC_MODEL"] = "mine"
    used = {
        "input_tokens": 1000, "cache_read_input_tokens": 8000,
        "cache_creation_input_tokens": 1000, "output_tokens": 100,
    }  # fmt: skip
    place.api.enqueue(reply("one", usage=used), reply("two", usage=used))
    talk = await place.talk("first\nthing", "second")
    (spent,) = await answers(place.resuming(talk.result.session_id), Spending())
    assert isinstance(spent, Spent)
    (model,) = spent.models
    assert (model.model, model.input, model.cache_read, model.cache_write, model.output) == (
        "mine", 2000, 16_000, 2000, 200,
    )  # fmt: skip
    assert [(p.text, p.turns) for p in spent.prompts] == [("first thing", 1), ("second", 1)]
    assert spent.prompts[0].cost_usd == near(0.003 + 0.0024 + 0.00375 + 0.0015)
    assert spent.total_usd == near(2 * 0.01065)
    assert spent.cache_share == near(0.8)
    assert spent.warm_for is not None and 200 < spent.warm_for <= 300
    assert spent.window_tokens == 10_100
    assert spent.cold_usd == near(10_100 * 3.75 / 1_000_000)


async def test_what_a_sub_agent_did_is_read_from_its_own_journal(place: Place) -> None:
    place = with_kinds(place.mode("bypassPermissions"))
    place.write("a.txt", "x\n")
    place.api.enqueue(reply(ask()), "done")
    agent_says(place, reply(tool("Read", {"file_path": "a.txt"})), "found it")
    talk = await converse(place, 1)
    call = talk.calls[0].id
    inside, nothing = await answers(
        place.resuming(talk.result.session_id), Inside(call), Inside("toolu_none")
    )
    assert isinstance(inside, MessagePage)
    transcript = Transcript()
    for record in inside.records:
        message = from_record(record)
        assert message is not None
        transcript.apply(message)
    names = [block.name for block in transcript.blocks if isinstance(block, ToolBlock)]
    assert names == ["Read"]
    assert any("found it" in str(record) for record in inside.records)
    assert nothing == MessagePage()


@pytest.mark.parametrize("query", [Find("x"), Raw("x"), Inside("x"), Spending()])
async def test_without_a_session_there_is_no_answer(place: Place, query: Query) -> None:
    assert isinstance(await Answerer(place.env).answer(query), Failed)


async def test_a_session_in_which_nothing_was_said_has_nothing(place: Place) -> None:
    found, raw, inside, spent = await answers(place, Find("x"), Raw("x"), Inside("x"), Spending())
    assert (found, raw, inside) == (Found(0), RawLines(), MessagePage())
    assert isinstance(spent, Spent) and spent.models == spent.prompts == ()
