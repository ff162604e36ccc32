"""Settings told to front ends, and changed for them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.preferring import row_text
from agent_tui.engine.replies import Answerer
from agent_tui.protocol.preferences import PreferenceList, Preferences, SetPreference, SettingRow
from agent_tui.protocol.queries import Failed, Query, Reply
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def asking(place: Place, *queries: Query) -> list[Reply]:
    replies: list[Reply] = []

    async def body(opened: OpenSession) -> None:
        answerer = Answerer(place.env)
        answerer.attach(opened)
        replies.extend([await answerer.answer(query) for query in queries])

    await place.run(body)
    return replies


def row(reply: Reply, key: str) -> SettingRow:
    assert isinstance(reply, PreferenceList)
    return next(row for row in reply.rows if row.key == key)


async def test_a_change_is_written_and_told(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    listed, changed, refused, gone = await asking(
        place,
        Preferences(),
        SetPreference("theme", "light"),
        SetPreference("theme", 3),
        SetPreference("theme"),
    )
    assert row(listed, "theme").value is None
    assert (row(changed, "theme").value, row(changed, "theme").place) == ("light", f"{path}:2")
    assert refused == Failed("theme must be a theme's name")
    assert row(gone, "theme").value is None
    assert json.loads(path.read_text()) == {}


async def test_what_the_command_line_decides_is_not_written_over(place: Place) -> None:
    place = replace(place, options=replace(place.options, settings={"theme": "dark"}))
    listed, refused = await asking(place, Preferences(), SetPreference("theme", "light"))
    assert (row(listed, "theme").value, row(listed, "theme").source) == ("dark", "flag")
    assert row(listed, "theme").locked
    assert refused == Failed("theme is decided by --settings")
    assert not (place.home / ".agent-tui" / "settings.json").exists()


async def test_a_file_that_broke_meanwhile_is_told(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"

    async def body(opened: OpenSession) -> None:
        answerer = Answerer(place.env)
        answerer.attach(opened)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{nonsense")
        reply = await answerer.answer(SetPreference("theme", "light"))
        assert isinstance(reply, Failed)
        assert "not valid JSON" in reply.error

    await place.run(body)
    assert path.read_text() == "{nonsense"


async def test_without_a_session_there_is_nothing_to_tell(place: Place) -> None:
    assert isinstance(await Answerer(place.env).answer(Preferences()), Failed)


def test_a_setting_on_one_line() -> None:
    assert row_text(SettingRow("a", "what it does")) == "a: not set  what it does"
    assert row_text(SettingRow("a", "", True, "user", "/f:2")) == "a: True  (/f:2)"
