from __future__ import annotations

import pytest

from tests.engine.commands.output import said
from tests.engine.sessions import Answers, Place
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


async def test_what_is_in_it_counts_as_inside_from_then_on(place: Place) -> None:
    other = place.home / "other"
    other.mkdir()
    (other / "a.txt").write_text("plum")
    asked = Answers()
    read = reply(tool("Read", file_path=str(other / "a.txt")))
    place.api.enqueue(read, "done")
    talk = await place.talk("/add-dir ~/other", "look", approver=asked)
    assert said(talk, 0) == f"{other} is a working folder of this session now."
    assert asked.asked == []
    assert "plum" in str(talk.tool_results)


@pytest.mark.parametrize(
    ("typed", "why"),
    [("", "Usage"), ("nowhere", "There is no folder"), (".", "is a working folder already")],
)
async def test_what_can_not_be_added_is_said(place: Place, typed: str, why: str) -> None:
    talk = await place.talk(f"/add-dir {typed}".strip())
    assert why in said(talk)
    assert talk.result.is_error
