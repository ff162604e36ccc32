from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent_tui.protocol.preferences import PreferenceList, Preferences, SetPreference, SettingRow
from agent_tui.protocol.queries import Failed
from agent_tui.tui.screens.config import ConfigScreen, shown_value
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Engine:
    """Keeps settings as an engine does."""

    def __init__(self) -> None:
        place = "/home/ada/.agent-tui/settings.json:3"
        self.rows = {
            row.key: row
            for row in (
                SettingRow("theme", "the colours", "dark", "user", place, "text", "a theme's name", at_once=True),
                SettingRow("editorMode", "as in Vim?", takes="choice", choices=("normal", "vim"), at_once=True),
                SettingRow("model", "the model", "opus", "project", "/w/.claude/settings.json:1", "text", "a model's name", locked=True),
                SettingRow("autoCompactWindow", "the window", takes="count", wanted="a number of tokens"),
                SettingRow("autoCompactEnabled", "by itself", takes="flag", wanted="true or false"),
                SettingRow("prices", "prices", takes="object", wanted="an object by model"),
            )
        }  # fmt: skip
        self.set: list[tuple[str, object]] = []
        self.refuses = ""

    def listed(self, query: Preferences) -> PreferenceList:
        return PreferenceList(tuple(self.rows.values()), "/home/ada/.agent-tui/settings.json")

    def put(self, query: SetPreference) -> PreferenceList | Failed:
        if self.refuses:
            return Failed(self.refuses)
        self.set.append((query.key, query.value))
        self.rows[query.key] = replace(self.rows[query.key], value=query.value, source="user")
        return self.listed(Preferences())

    @property
    def replies(self) -> dict[type[Any], Any]:
        return {Preferences: self.listed, SetPreference: self.put}


async def opened(on: Stage) -> ConfigScreen:
    await on.type("/config")
    await on.press("enter")
    screen = on.app.screen
    assert isinstance(screen, ConfigScreen)
    return screen


def row_of(on: Stage, key: str) -> str:
    (row,) = [row for row in on.rows if row.lstrip("› ").startswith(key)]
    return row


async def test_each_setting_has_its_value_and_the_chosen_one_its_place() -> None:
    async with running(replies=Engine().replies) as on:
        await opened(on)
        assert row_of(on, "theme").endswith("dark")
        assert row_of(on, "editorMode").endswith("not set")
        assert row_of(on, "model").endswith("opus   the project's")
        assert "stands in ~/.agent-tui/settings.json:3; a change counts at once" in on.text
        await on.type("autoCompactW")
        assert "may be a number of tokens" in on.text
        assert (
            "is kept in ~/.agent-tui/settings.json; a change counts from the next session"
            in on.text
        )


async def test_a_word_is_chosen_and_counts_at_once() -> None:
    engine = Engine()
    async with running(replies=engine.replies) as on:
        await opened(on)
        await on.press("down", "enter")
        assert on.app.screen.has_class("-changing")
        await on.press("down", "enter")
        assert engine.set == [("editorMode", "vim")]
        assert on.app.backstage.look.habits.vim
        assert row_of(on, "editorMode").endswith("vim")
        await on.press("up", "enter")
        await on.press("down", "enter")
        assert engine.set[-1][0] == "theme"
        assert on.app.theme == engine.set[-1][1]


async def test_a_value_is_typed_and_checked() -> None:
    engine = Engine()
    async with running(replies=engine.replies) as on:
        await opened(on)
        await on.type("window")
        await on.press("enter")
        await on.type("many")
        await on.press("enter")
        assert "autoCompactWindow must be a number of tokens" in on.text
        await on.press(*["backspace"] * 4)
        assert "must be" not in on.text
        await on.type("120000")
        await on.press("enter")
        assert engine.set == [("autoCompactWindow", 120_000)]


async def test_what_others_decide_and_what_is_no_value_can_not_be_changed_here() -> None:
    engine = Engine()
    async with running(replies=engine.replies) as on:
        await opened(on)
        await on.type("the model")
        assert "The project's: decided by /w/.claude/settings.json:1" in on.text
        await on.press("enter")
        assert "can't be changed here: it is decided elsewhere" in on.text
        await on.press(*["backspace"] * 9)
        await on.type("prices")
        await on.press("enter")
        assert "change it in the file" in on.text
        assert engine.set == []


async def test_a_setting_is_taken_out_and_escape_leaves_a_change() -> None:
    engine = Engine()
    async with running(replies=engine.replies) as on:
        screen = await opened(on)
        await on.press("ctrl+x")
        assert engine.set == [("theme", None)]
        await on.press("enter", "escape")
        assert screen.is_current
        assert not screen.has_class("-changing")
        await on.press("escape")
        assert not screen.is_attached
        assert len(engine.set) == 1


async def test_what_the_engine_refuses_is_said_and_can_be_mended() -> None:
    engine = Engine()
    engine.refuses = "the file is broken"
    async with running(replies=engine.replies) as on:
        screen = await opened(on)
        await on.press("down", "enter", "enter")
        assert "the file is broken" in on.text
        assert screen.has_class("-changing")


async def test_without_a_session_it_says_so() -> None:
    async with running(replies={Preferences: Failed("No session is open.")}) as on:
        await opened(on)
        assert "No session is open." in on.text


def test_values_are_written_as_a_person_reads_them() -> None:
    assert [shown_value(v) for v in (None, "x", True, 3, {"a": 1})] == [
        "not set", "x", "true", "3", '{"a": 1}',
    ]  # fmt: skip
