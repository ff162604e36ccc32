from __future__ import annotations

import pytest

from tests.engine.commands.output import said
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_built_in_ones_and_those_of_files_are_listed(place: Place) -> None:
    folder = place.home / ".agent-tui" / "agents"
    folder.mkdir(parents=True)
    text = (
        "---\nname: reviewer\ndescription: Reads with care\ntools: Read\nmodel: haiku\n---\nRead."
    )
    (folder / "reviewer.md").write_text(text)
    lines = said(await place.talk("/agents")).splitlines()
    assert any(line.startswith("general-purpose: ") for line in lines)
    at = lines.index("reviewer: Reads with care")
    assert lines[at + 1] == "  ~/.agent-tui/agents/reviewer.md; Read; haiku"
