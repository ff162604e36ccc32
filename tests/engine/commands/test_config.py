from __future__ import annotations

import json

import pytest

from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_settings_are_listed_with_their_place_and_changed_in_the_persons_own_file(
    place: Place,
) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text('{\n "keep": 1,\n "theme": "light"\n}')
    talk = await place.talk(
        "/config", "/config effortLevel=low", "/config theme=", "/config effort"
    )
    assert f"theme: light  ({path}:3)  the colours" in said(talk, 0).splitlines()
    assert "model: not set  the model of new sessions" in said(talk, 0).splitlines()
    assert said(talk, 1).startswith("effortLevel is low from the next session on.")
    assert said(talk, 2).startswith("theme is no longer set.")
    assert said(talk, 3) == f"effortLevel: low  ({path}:3)  how hard the model thinks"
    assert json.loads(path.read_text()) == {"keep": 1, "effortLevel": "low"}


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("effortLevel=loud", "effortLevel must be one of low, medium"),
        ("nothing=1", "There is no setting 'nothing'"),
        ("autoCompactEnabled=perhaps", "must be true or false"),
        ("prices=1", "write it in the file"),
    ],
)
async def test_what_can_not_be_is_said(place: Place, typed: str, why: str) -> None:
    talk = await place.talk(f"/config {typed}")
    assert why in said(talk)
    assert talk.result.is_error
    assert not (place.home / ".agent-tui" / "settings.json").exists()
