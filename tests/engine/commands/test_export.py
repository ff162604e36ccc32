from __future__ import annotations

import pytest

from agent_tui.engine.command import infos
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_it_writes_markdown_named_after_the_session(place: Place) -> None:
    place.api.enqueue("hello there")
    talk = await place.talk("hi", "/export")
    (path,) = place.project.glob("*.md")
    assert str(talk.system("local_command_output")[-1].data["content"]) == f"Exported to {path}."
    assert talk.result.session_id[:8] in path.name
    assert "hello there" in path.read_text()


def test_it_is_offered_with_its_arguments() -> None:
    info = next(one for one in infos() if one.name == "export")
    assert info.hint == "[md|html|json] [file]"
    assert "secrets are hidden" in info.summary
