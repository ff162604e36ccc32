from __future__ import annotations

import pytest

from agent_tui import __version__
from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_it_tells_what_the_session_is_and_never_the_key(place: Place) -> None:
    talk = await place.talk("/status")
    rows = dict(line.split(maxsplit=1) for line in said(talk).splitlines())
    assert rows["version"] == __version__
    assert rows["session"].startswith(talk.session_id)
    assert rows["folder"] == str(place.project)
    assert rows["server"] == place.api.url
    assert rows["key"].split() == ["from", "ANTHROPIC_API_KEY"]
    assert rows["mode"] == "default"
    assert "tokens of context" in rows["model"]
    assert "sk-test-dummy" not in said(talk)
    assert place.api.messages == []
