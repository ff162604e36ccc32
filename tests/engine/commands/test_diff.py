from __future__ import annotations

import pytest

from agent_tui.protocol.messages import SystemMessage
from tests.engine.hindsight import Desk, at_desk, edit, write
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


def said(desk: Desk) -> str:
    """What the last command gave."""
    found = [m for m in desk.heard if isinstance(m, SystemMessage)]
    return str([m.data["content"] for m in found if m.subtype == "local_command_output"][-1])


async def test_it_prints_a_unified_diff(place: Place) -> None:
    a = place.write("a.txt", "one\ntwo\n")
    place.api.enqueue(edit(a, "two", "2"), "done", write(place.project / "new.txt", "x\n"), "done")

    async def body(desk: Desk) -> None:
        await desk.prompt("/diff")
        assert said(desk) == "No file was changed in this session."
        await desk.prompt("first")
        await desk.prompt("second")
        await desk.prompt("/diff")
        assert said(desk).splitlines() == [
            "--- a/a.txt",
            "+++ b/a.txt",
            "@@ -1,2 +1,2 @@",
            " one",
            "-two",
            "+2",
            "--- /dev/null",
            "+++ b/new.txt",
            "@@ -0,0 +1 @@",
            "+x",
        ]
        await desk.prompt("/diff prompt")
        assert "a.txt" not in said(desk)
        await desk.prompt("/diff nonsense")
        assert said(desk) == "Usage: /diff [session|prompt]"

    await at_desk(place, body)
