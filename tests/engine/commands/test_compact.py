from __future__ import annotations

import json

import pytest

from tests.engine.sessions import Place
from tests.fakes.api_server import is_summary, reply

pytestmark = pytest.mark.anyio


async def test_what_is_written_behind_it_is_told_to_the_model(place: Place) -> None:
    place.api.add_rule(is_summary(), reply("<summary>A plum.</summary>"))
    place.api.enqueue("one", "two", "three")
    talk = await place.talk("a", "b", "/compact  keep the fruit \n", "c")
    asked = next(request for request in place.api.messages if is_summary()(request))
    assert "keep the fruit" in asked.last_user_text
    [boundary] = talk.system("compact_boundary")
    assert boundary.data["compact_metadata"]["trigger"] == "manual"
    assert "A plum." in json.dumps(place.api.messages[-1].body)


async def test_its_result_is_no_answer_and_costs_what_it_costs(place: Place) -> None:
    place.api.add_rule(is_summary(), reply("<summary>A plum.</summary>"))
    place.api.enqueue("one", "two")
    talk = await place.talk("a", "b", "/compact")
    before, after = talk.results[1], talk.results[2]
    assert after.num_turns == 0
    assert after.total_cost_usd is not None and before.total_cost_usd is not None
    assert after.total_cost_usd > before.total_cost_usd


async def test_with_nothing_to_summarise_nothing_is_asked(place: Place) -> None:
    talk = await place.talk("/compact")
    assert not place.api.messages
    assert not talk.system("compact_boundary")
    assert talk.system("local_command_output")
