"""The prompt edited as in Vim: what the field, its lists and its history make of Vim's keys."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from agent_tui.settings.typed import Typed
from agent_tui.tui.history import History
from agent_tui.tui.panes.completion import Popup, Proposal
from agent_tui.tui.panes.field import Field
from agent_tui.tui.panes.prompt import Prompt
from tests.tui.host import Host
from tests.tui.look import look
from tests.tui.panes.test_prompt import Stage

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def stage(*typed: str, theme: str = "dark") -> AsyncGenerator[Stage]:
    history = History("/p")
    for text in typed:
        history.add(Typed(text, "/p"))
    looks = look(theme)
    looks.habits.vim = True
    popup = Popup(looks)
    prompt = Prompt(looks, popup, history)
    app = Host(looks, popup, prompt)
    async with app.run_test(size=(60, 16)) as pilot:
        prompt.focus()
        yield Stage(app, prompt, popup, pilot)


async def test_it_begins_by_inserting_and_says_its_mode() -> None:
    async with stage() as on:
        await on.pilot.press(*"one", "space", *"two")
        assert (on.prompt.value, on.prompt.vim_mode) == ("one two", "insert")
        await on.pilot.press("escape")
        assert on.prompt.vim_mode == "normal"
        await on.pilot.press("d")
        assert on.prompt.vim_mode == "normal d"
        await on.pilot.press("b")
        assert (on.prompt.value, on.prompt.vim_mode) == ("one o", "normal")
        assert len(on.app.of(Prompt.Moded)) >= 3


async def test_enter_sends_from_normal_mode_and_the_next_one_is_inserted() -> None:
    async with stage() as on:
        await on.pilot.press(*"go", "escape", "enter")
        await on.pilot.pause()
        assert [event.text for event in on.app.of(Field.Submitted)] == ["go"]
        await on.pilot.press("x")
        assert (on.prompt.value, on.prompt.vim_mode) == ("x", "insert")


async def test_j_and_k_beyond_the_edges_walk_the_history_and_slash_searches_it() -> None:
    async with stage("older", "newer") as on:
        await on.pilot.press(*"draft", "escape", "k")
        assert on.prompt.value == "newer"
        await on.pilot.press("k")
        assert on.prompt.value == "older"
        await on.pilot.press("j", "j")
        assert on.prompt.value == "draft"
        await on.pilot.press("slash", "e", "w")
        assert on.prompt.searching
        await on.pilot.press("enter")
        assert on.prompt.value == "newer"


async def test_a_list_that_is_open_is_closed_before_the_mode_changes() -> None:
    async with stage() as on:
        await on.pilot.press("at", *"ma")
        assert on.prompt.word is not None
        on.prompt.show(on.prompt.word, [Proposal("main.py")])
        await on.pilot.press("escape")
        assert (on.popup.is_open, on.prompt.vim_mode) == (False, "insert")
        await on.pilot.press("escape")
        assert on.prompt.vim_mode == "normal"
        assert on.prompt.word is None


async def test_keys_that_mean_nothing_in_vim_mean_what_they_always_do() -> None:
    async with stage("older") as on:
        await on.pilot.press(*"ab", "escape", "ctrl+u")
        assert on.prompt.value == "b"
        await on.pilot.press("ctrl+r")
        assert not on.prompt.searching, "it does again in normal mode"


@pytest.mark.parametrize("name", ["dark", "sixteen"])
async def test_what_is_selected_is_drawn_otherwise(name: str) -> None:
    async with stage(theme=name) as on:
        await on.pilot.press(*"one", "space", *"two", "escape", "0", "v", "e")
        theme = on.prompt.look.theme
        chosen = theme.style("text", "select").bgcolor if theme.tints else None
        marked = "".join(
            segment.text
            for segment in on.prompt.line(0).strip
            if segment.style
            and (segment.style.reverse or (chosen and segment.style.bgcolor == chosen))
        )
        assert marked == "one"
