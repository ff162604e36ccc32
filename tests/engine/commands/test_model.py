from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol.messages import StatusChanged
from tests.engine.sessions import Place
from tests.fakes.api_server import ModelFacts

pytestmark = pytest.mark.anyio


async def test_it_says_which_model_is_used(place: Place) -> None:
    talk = await place.talk("/model")
    status = [m for m in talk.heard if isinstance(m, StatusChanged)]
    said = str(talk.system("local_command_output")[0].data["content"])
    assert said.startswith("Model is claude-")
    assert all(m.model in said for m in status)


async def test_an_alias_is_asked_from_the_next_request_on(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("a", "/model haiku", "b")
    before, after = (request.model for request in place.api.messages)
    assert "haiku" not in before
    assert "haiku" in after
    said = str(talk.system("local_command_output")[0].data["content"])
    assert said == f"Model is {after} from the next request on."
    assert talk.system("init")[-1].data["model"] == after


async def test_an_id_is_taken_as_it_is(place: Place) -> None:
    mine = ModelFacts("house-model-7b")
    place.api.settings = replace(place.api.settings, models={mine.id: mine})
    place.api.enqueue("one")
    await place.talk("/model  house-model-7b ", "a")
    assert place.api.messages[0].model == "house-model-7b"
