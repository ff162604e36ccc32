from __future__ import annotations

import json

import pytest

from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_the_answer_does_not_enter_the_conversation(place: Place) -> None:
    place.api.enqueue("first", "a side answer", "third")
    talk = await place.talk("plant a pear", "/btw what is a quince?", "go on")
    first, beside, last = (str(request.body["messages"]) for request in place.api.messages)
    assert "plant a pear" in beside
    assert "what is a quince?" in beside
    assert "quince" not in last
    assert "side answer" not in last
    assert first.split("plant a pear")[0] == last.split("plant a pear")[0]
    assert said(talk) == "a side answer"
    assert talk.texts == ["first", "third"]


async def test_it_costs_what_it_costs_and_reads_the_cache(place: Place) -> None:
    place.api.enqueue("first", "a side answer")
    talk = await place.talk("plant a pear", "/btw why?")
    before, after = (result.total_cost_usd for result in talk.results)
    assert before is not None
    assert after is not None
    assert after > before
    lines = [json.loads(line) for line in talk.journal.read_text().splitlines()]
    purposes = [line["purpose"] for line in lines if line.get("subtype") == "response"]
    assert purposes == ["main", "other"]


async def test_without_a_question_it_asks_for_one(place: Place) -> None:
    talk = await place.talk("/btw")
    assert talk.result.is_error
    assert "followed by a question" in said(talk)
