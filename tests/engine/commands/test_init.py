from __future__ import annotations

import pytest

from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_the_model_is_asked_to_write_the_file(place: Place) -> None:
    place.api.enqueue("done")
    talk = await place.talk("/init mind the ducks")
    (request,) = place.api.messages
    asked = str(request.body)
    assert "Write the file CLAUDE.md" in asked
    assert "The user wants this in it: mind the ducks" in asked
    assert talk.texts == ["done"]
    assert talk.result.num_turns == 1
