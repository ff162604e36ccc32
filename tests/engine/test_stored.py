"""Renaming stored sessions, and putting them into the trash."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.replies import Answerer
from agent_tui.protocol.errors import SessionError, UsageError
from agent_tui.protocol.picking import Removed, RemoveSession, Renamed, RenameSession
from agent_tui.protocol.queries import SessionList, Sessions
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def titles(place: Place) -> list[str]:
    found = await Answerer(place.env).answer(Sessions(str(place.project)))
    assert isinstance(found, SessionList)
    return [row.title for row in found.rows]


async def test_a_session_gets_another_title(place: Place) -> None:
    place.api.enqueue("a plum")
    talk = await place.talk("first talk")
    answerer = Answerer(place.env)
    asked = RenameSession(talk.session_id, "  A\x1b[31m new\nname ", str(place.project))
    reply = await answerer.answer(asked)
    assert isinstance(reply, Renamed)
    assert "\x1b" not in reply.title
    assert await titles(place) == [reply.title]
    with pytest.raises(UsageError):
        await answerer.answer(RenameSession(talk.session_id, " \n"))
    with pytest.raises(SessionError):
        await answerer.answer(RenameSession("22222222-2222-4222-8222-222222222222", "x"))


async def test_a_removed_one_is_in_the_trash_with_all_that_belongs_to_it(place: Place) -> None:
    place.api.enqueue("a plum", "a pear")
    talk, other = await place.talk("first talk"), await place.talk("other talk")
    beside = talk.journal.with_suffix("")
    (beside / "tool-results").mkdir(parents=True, exist_ok=True)
    (beside / "tool-results" / "long.txt").write_text("long")
    before = talk.journal.read_bytes()
    reply = await Answerer(place.env).answer(RemoveSession(talk.session_id, str(place.project)))
    assert isinstance(reply, Removed)
    folder = Path(reply.folder)
    assert folder.parent == place.home / ".agent-tui" / "trash"
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert (folder / talk.journal.name).read_bytes() == before
    assert (folder / beside.name / "tool-results" / "long.txt").read_text() == "long"
    assert not talk.journal.exists()
    assert not beside.exists()
    assert other.journal.exists()
    assert await titles(place) == ["other talk"]


async def test_one_that_is_in_use_stays(place: Place) -> None:
    place.api.enqueue("a plum")
    talk = await place.talk("first talk")

    async def body(opened: OpenSession) -> None:
        with pytest.raises(SessionError, match="in use"):
            await Answerer(place.env).answer(RemoveSession(talk.session_id))

    await place.resuming(talk.session_id).run(body)
    assert talk.journal.exists()
