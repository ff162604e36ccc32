from __future__ import annotations

import pytest

from tests.engine.commands.test_diff import said
from tests.engine.hindsight import Desk, at_desk, edit
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def test_it_lists_tells_and_goes_back(place: Place) -> None:
    a = place.write("a.txt", "one\n")
    b = place.write("b.txt", "one\n")
    place.api.enqueue(edit(a, "one", "two"), edit(b, "one", "two"), "done", "after")

    async def body(desk: Desk) -> None:
        await desk.prompt("/rewind")
        assert said(desk) == "There is nothing to go back to yet."
        await desk.prompt("the first prompt")
        b.write_text("by hand\n")
        await desk.prompt("/undo")
        assert "the first prompt  2 files" in said(desk)
        await desk.prompt("/rewind 1")
        assert "a.txt: put back" in said(desk)
        assert "b.txt: left as it is, changed since" in said(desk)
        await desk.prompt("/rewind 1 both")
        assert a.read_text() == "one\n"
        assert b.read_text() == "by hand\n"
        await desk.prompt("next")
        assert "the first prompt" not in str(place.api.messages[-1].body)

    await at_desk(place, body)


@pytest.mark.parametrize("typed", ["x", "1 2 3", "1 sideways", "7"])
async def test_what_it_can_t_do_is_said(place: Place, typed: str) -> None:
    place.api.enqueue("done")

    async def body(desk: Desk) -> None:
        await desk.prompt("one")
        await desk.prompt(f"/rewind {typed}")
        assert said(desk).startswith(("Usage", "There is no moment"))

    await at_desk(place, body)
