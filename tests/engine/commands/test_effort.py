from __future__ import annotations

import pytest

from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_a_level_counts_from_the_next_request_on(place: Place) -> None:
    place.api.enqueue("one", "two", "three")
    talk = await place.talk("a", "/effort low", "b", "/effort auto", "c")
    sent = [request.body.get("output_config") for request in place.api.messages]
    assert sent == [None, {"effort": "low"}, None]
    assert said(talk, 0) == "Effort is low from the next request on."


async def test_without_a_level_it_says_which_is_used(place: Place) -> None:
    talk = await place.talk("/effort", "/effort max", "/effort", "/effort loud")
    assert said(talk, 2) == "Effort is max."
    assert "There is no level 'loud'" in said(talk)
    assert talk.result.is_error
