from __future__ import annotations

import json

import pytest

from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_they_are_listed_by_event_with_their_file(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir(parents=True)
    hook = {"type": "command", "command": "true --check"}
    hooks = {"PreToolUse": [{"matcher": "Bash|Edit", "hooks": [hook]}], "Nonsense": []}
    path.write_text(json.dumps({"hooks": hooks}))
    lines = said(await place.talk("/hooks")).splitlines()
    assert lines[0] == "PreToolUse"
    assert lines[1] == "  true --check  for Bash, Edit  (~/.agent-tui/settings.json)"
    assert "Nonsense is no event" in lines[2]


async def test_none_are_said_so(place: Place) -> None:
    assert said(await place.talk("/hooks")).startswith("There are no hooks.")
