from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from agent_tui.protocol.messages import ConversationResetMessage
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_it_begins_an_empty_conversation_and_totals_restart(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("the word is plum", "/clear", "hello")
    assert "plum" not in json.dumps(place.api.messages[1].body)
    assert talk.results[1].total_cost_usd == 0
    assert talk.results[2].total_cost_usd == talk.results[2].cost_usd
    reset = next(m for m in talk.heard if isinstance(m, ConversationResetMessage))
    assert reset.new_conversation_id == talk.results[2].session_id


async def test_the_context_is_told_again(place: Place) -> None:
    place.write("CLAUDE.md", "Use tabs.")
    place.api.enqueue("one", "two")
    await place.talk("a", "/clear", "b")
    assert all("Use tabs." in json.dumps(request.body) for request in place.api.messages)


@pytest.mark.parametrize("name", ["/new", "/reset"])
async def test_it_has_other_names(place: Place, name: str) -> None:
    place.api.enqueue("one")
    talk = await place.talk("a", name)
    assert talk.results[0].session_id != talk.results[1].session_id


async def test_cleared_before_anything_was_said_it_is_a_session_all_the_same(place: Place) -> None:
    place.api.enqueue("one")
    talk = await place.talk("/clear", "a")
    assert talk.results[1].result == "one"
    assert fold(Reading(talk.journal.with_name(f"{talk.session_id}.jsonl"))).prompts == 1


async def test_the_mode_and_the_model_stay(place: Place) -> None:
    place.api.enqueue("one", "two")
    moved = replace(place.mode("acceptEdits"))
    talk = await moved.talk("/model opus", "a", "/clear", "b")
    _, first, _, last = talk.system("init")
    assert first.data["permissionMode"] == last.data["permissionMode"] == "acceptEdits"
    assert first.data["model"] == last.data["model"]
    assert "opus" in str(last.data["model"])
