"""Going to other screens and doing what was chosen there; each screen has tests of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.messages import UserMessage
from agent_tui.settings.options import Options
from agent_tui.tui.look import QUIET_TICK
from agent_tui.tui.screens.help import HelpScreen
from tests.tui.scenes import status
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a_command_is_carried_out_without_touching_the_draft() -> None:
    async with running() as on:
        await on.type("draft")
        on.main.doing.visits.command("/help")
        await on.settle()
        assert isinstance(on.app.screen, HelpScreen)
        await on.press("escape")
        on.main.doing.visits.command("/compact all of it")
        assert [op.text for op in on.link.of(ops.Prompt)] == ["/compact all of it"]
        assert on.main.prompt.value == "draft"


async def test_settings_of_the_screen_count_at_once() -> None:
    async with running() as on:
        visits, look = on.main.doing.visits, on.app.backstage.look
        visits._changed("reducedMotion", True)  # pyright: ignore[reportPrivateUsage]
        assert look.tick == QUIET_TICK
        visits._changed("reducedMotion", None)  # pyright: ignore[reportPrivateUsage]
        assert look.tick == 1.0
        visits._changed("editorMode", "vim")  # pyright: ignore[reportPrivateUsage]
        assert look.habits.vim
        visits._changed("theme", "light")  # pyright: ignore[reportPrivateUsage]
        assert on.app.theme == "light"
        visits._changed("model", "opus")  # pyright: ignore[reportPrivateUsage]
        assert on.app.theme == "light"


async def test_a_kept_theme_is_stored_and_auto_is_the_fitting_one() -> None:
    stored = Path.home() / ".agent-tui" / "settings.json"
    async with running() as on:
        on.app.backstage.look.fitting = "high-contrast"
        await on.type("/theme auto")
        await on.press("enter")
        assert on.app.theme == "high-contrast"
        for _ in range(300):
            if stored.exists():
                break
            await on.pilot.pause(0.01)
        assert json.loads(stored.read_text()) == {"theme": "auto"}


async def test_a_fork_goes_on_in_a_copy_once_something_was_said() -> None:
    async with running() as on:
        await on.type("/fork")
        await on.press("enter")
        assert "there is nothing to copy" in on.text
        await on.say(UserMessage("something", uuid="u1"))
        await on.type("/fork a try")
        await on.press("enter")
        await on.settle()
        (opening,) = on.link.of(ops.Open)
        given = Options.from_json(opening.options).session
        assert (given.resume, given.fork, given.title) == (status().session_id, True, "a try")
