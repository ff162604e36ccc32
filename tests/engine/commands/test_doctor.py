from __future__ import annotations

import pytest

from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_it_checks_the_surroundings_and_the_server(place: Place) -> None:
    talk = await place.talk("/doctor")
    text = said(talk)
    assert "ok  server      " + place.api.url in text
    assert "ANTHROPIC_API_KEY" in text
    assert "sk-test-dummy" not in text
    assert text.splitlines()[-1] == "Nothing is wrong."
    assert place.api.messages == []


async def test_what_is_wrong_is_counted_at_the_end(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"effortLevel": "loud"}')
    place.variables["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
    text = said(await place.talk("/doctor"))
    assert f"!!  settings    {path}:1: effortLevel must be a level; it is ignored." in text
    assert "!!  server" in text
    assert text.splitlines()[-1] == "2 things are wrong."
