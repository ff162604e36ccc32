from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from textual.pilot import Pilot

from agent_tui.settings.typed import Typed
from agent_tui.tui.history import History
from agent_tui.tui.panes.completion import Popup, Proposal
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.prompt import Prompt
from tests.tui.host import Host, screen_rows
from tests.tui.look import look

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Stage:
    app: Host
    prompt: Prompt
    popup: Popup
    pilot: Pilot[Any]


@asynccontextmanager
async def stage(*typed: str) -> AsyncGenerator[Stage]:
    history = History("/p")
    for text in typed:
        history.add(Typed(text, "/p"))
    looks = look()
    popup = Popup(looks)
    prompt = Prompt(looks, popup, history)
    app = Host(looks, popup, prompt)
    async with app.run_test(size=(60, 16)) as pilot:
        prompt.focus()
        yield Stage(app, prompt, popup, pilot)


async def test_up_and_down_walk_the_history_and_come_back_to_the_draft() -> None:
    async with stage("older", "newer") as on:
        await on.pilot.press("d", "up")
        assert on.prompt.value == "newer"
        await on.pilot.press("up", "up")
        assert on.prompt.value == "older"
        await on.pilot.press("down", "down")
        assert on.prompt.value == "d"


async def test_up_moves_in_a_draft_of_several_rows_before_it_walks() -> None:
    async with stage("older") as on:
        await on.pilot.press("a", "ctrl+j", "b", "up")
        assert on.prompt.value == "a\nb"
        await on.pilot.press("up")
        assert on.prompt.value == "older"


async def test_a_draft_left_behind_by_editing_a_recalled_prompt_is_kept() -> None:
    async with stage("older") as on:
        await on.pilot.press(*"draft", "up", "x")
        await on.pilot.pause()
        (kept,) = on.app.of(Prompt.Kept)
        assert kept.text == "draft"


async def test_ctrl_r_searches_and_enter_takes() -> None:
    async with stage("fix the parser", "write docs", "fix the tests") as on:
        await on.pilot.press(*"mine", "ctrl+r", *"FIX")
        await on.pilot.pause()
        assert on.prompt.searching == "project"
        assert [p.text for p in on.popup.proposals] == ["fix the tests", "fix the parser"]
        await on.pilot.press("ctrl+r", "enter")
        await on.pilot.pause()
        assert on.prompt.value == "fix the parser"
        assert on.prompt.searching is None
        assert [kept.text for kept in on.app.of(Prompt.Kept)] == ["mine"]
        assert not on.app.of(Field.Submitted)


async def test_escape_ends_a_search_and_gives_the_draft_back() -> None:
    async with stage("other") as on:
        await on.pilot.press(*"mine", "left", "ctrl+r", "o", "escape")
        assert on.prompt.value == "mine"
        assert on.prompt.editor.cursor == 3


async def test_a_file_word_is_asked_for_and_tab_takes_the_proposal() -> None:
    async with stage() as on:
        await on.pilot.press(*"see @au")
        await on.pilot.pause()
        word = on.app.of(Prompt.Wanted)[-1].word
        assert word is not None
        assert (word.what, word.text) == ("file", "au")
        on.prompt.show(word, [Proposal("src/auth.py"), Proposal("src/あ.py")])
        await on.pilot.pause()
        assert "   see @au" in screen_rows(on.app) or " › see @au" in screen_rows(on.app)
        await on.pilot.press("tab")
        assert on.prompt.value == "see @src/auth.py "
        assert not on.popup.is_open


async def test_proposals_for_a_word_no_longer_typed_are_not_shown() -> None:
    async with stage() as on:
        await on.pilot.press("@", "a")
        await on.pilot.pause()
        word = on.prompt.word
        assert word is not None
        await on.pilot.press("space")
        on.prompt.show(word, [Proposal("late")])
        assert not on.popup.is_open


async def test_escape_closes_the_list_and_it_stays_closed_for_this_word() -> None:
    async with stage() as on:
        await on.pilot.press("@", "a")
        assert on.prompt.word is not None
        on.prompt.show(on.prompt.word, [Proposal("abc")])
        await on.pilot.press("escape")
        assert not on.popup.is_open
        await on.pilot.press("b")
        assert on.prompt.word is None
        assert on.prompt.value == "@ab"


async def test_enter_sends_a_file_word_as_typed_unless_a_proposal_was_chosen() -> None:
    async with stage() as on:
        await on.pilot.press(*"@a")
        assert on.prompt.word is not None
        on.prompt.show(on.prompt.word, [Proposal("abc"), Proposal("abd")])
        await on.pilot.press("enter")
        assert [sent.text for sent in on.app.of(Field.Submitted)] == ["@a"]
        await on.pilot.press(*"@a")
        on.prompt.show(on.prompt.word, [Proposal("abc"), Proposal("abd")])
        await on.pilot.press("down", "enter")
        assert len(on.app.of(Field.Submitted)) == 1
        assert on.prompt.value == "@abd "


async def test_enter_completes_a_command_and_sends_it() -> None:
    async with stage() as on:
        await on.pilot.press(*"/he")
        assert on.prompt.word is not None
        on.prompt.show(on.prompt.word, [Proposal("/help")])
        await on.pilot.press("enter")
        await on.pilot.pause()
        assert [sent.text for sent in on.app.of(Field.Submitted)] == ["/help "]


async def test_enter_sends_a_mistyped_command_as_it_is() -> None:
    async with stage() as on:
        await on.pilot.press(*"/hlep")
        assert on.prompt.word is not None
        on.prompt.show(on.prompt.word, [Proposal("/help")])
        await on.pilot.press("enter")
        assert [sent.text for sent in on.app.of(Field.Submitted)] == ["/hlep"]


async def test_a_recalled_command_opens_no_list() -> None:
    async with stage("/help") as on:
        await on.pilot.press("up")
        assert on.prompt.value == "/help"
        assert on.prompt.word is None


async def test_a_key_that_the_guard_drops_changes_nothing() -> None:
    async with stage() as on:
        on.prompt.guard = lambda event: event.key == "enter"
        await on.pilot.press("a", "enter", "b")
        assert on.prompt.value == "ab"
        assert not on.app.of(Field.Submitted)


async def test_clearing_keeps_the_draft() -> None:
    async with stage() as on:
        await on.pilot.press(*"precious")
        assert on.prompt.clear()
        await on.pilot.pause()
        assert [kept.text for kept in on.app.of(Prompt.Kept)] == ["precious"]
        assert not on.prompt.clear()
