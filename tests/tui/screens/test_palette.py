from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.queries import Complete, Completion, Completions
from agent_tui.tui.screens.palette import PaletteScreen
from agent_tui.tui.screens.pressing import PALETTE
from tests.tui.scenes import status
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


REPLIES: dict[type[Any], Any] = {
    Complete: Completions(
        (
            Completion("compact", "[instructions]  Summarise the conversation."),
            Completion("cost", "Show what was spent."),
        )
    )
}


async def test_commands_and_actions_are_listed_with_their_keys() -> None:
    async with running(replies=REPLIES) as on:
        await on.press("ctrl+p")
        assert isinstance(on.app.screen, PaletteScreen)
        rows = on.rows
        assert any("/compact [instructions]" in r for r in rows)
        (theme,) = [r for r in rows if "/theme" in r]
        assert "Change the colours" in theme
        (mode,) = [r for r in rows if "Next permission mode" in r]
        assert mode.endswith("shift+tab")
        assert "All commands and actions" not in on.text


async def test_an_action_is_done_and_the_draft_stays() -> None:
    async with running(replies=REPLIES) as on:
        await on.say(status(modes=("default", "plan")))
        await on.type("my draft")
        await on.press("ctrl+p")
        await on.type("next perm")
        await on.press("enter")
        assert [op.mode for op in on.link.of(ops.SetMode)] == ["plan"]
        assert on.main.prompt.value == "my draft"


async def test_a_command_of_the_engine_is_sent_and_one_of_the_screen_is_done() -> None:
    async with running(replies=REPLIES) as on:
        await on.press("ctrl+p")
        await on.type("compa")
        await on.press("enter")
        assert [op.text for op in on.link.of(ops.Prompt)] == ["/compact"]
        await on.press("ctrl+p")
        await on.type("help")
        await on.press("enter")
        assert on.rows[0].strip() == "Help"


async def test_without_an_answer_the_screens_own_are_there() -> None:
    async with running() as on:
        await on.press("ctrl+p")
        await on.type("/th")
        assert "/theme" in on.rows[3]
        await on.press("escape")
        assert not isinstance(on.app.screen, PaletteScreen)


def test_every_action_of_the_screen_can_be_chosen_but_the_palette_itself() -> None:
    assert "screen:palette" not in PALETTE
    assert {"screen:tasks", "screen:walk", "empty:help"} <= set(PALETTE)
