from __future__ import annotations

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.messages import PermissionMode, UserMessage
from tests.tui.scenes import busy, main_scene, status
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_escape_stops_a_run_and_keeps_the_draft() -> None:
    async with running() as on:
        await on.say(busy())
        await on.type("draft")
        await on.press("escape")
        assert len(on.link.of(ops.Interrupt)) == 1
        assert on.main.prompt.value == "draft"


async def test_escape_twice_clears_and_up_brings_the_draft_back() -> None:
    async with running() as on:
        await on.type("precious")
        await on.press("escape")
        assert on.main.prompt.value == "precious"
        assert "esc again to clear" in on.rows_of(on.main.rule)[0]
        await on.press("escape")
        assert on.main.prompt.value == ""
        await on.press("up")
        assert on.main.prompt.value == "precious"


async def test_two_slow_escapes_do_not_clear() -> None:
    async with running() as on:
        await on.type("precious")
        await on.press("escape")
        on.clock.now += 5
        await on.press("escape")
        assert on.main.prompt.value == "precious"


async def test_ctrl_c_interrupts_then_clears_then_leaves() -> None:
    async with running() as on:
        await on.say(busy())
        await on.type("draft")
        await on.press("ctrl+c")
        assert len(on.link.of(ops.Interrupt)) == 1
        assert on.main.prompt.value == "draft"
        await on.say(status())
        on.clock.now += 5
        await on.press("ctrl+c")
        assert on.main.prompt.value == ""
        assert on.app.is_running
        assert "ctrl+c again to leave" in on.rows_of(on.main.rule)[0]
        await on.press("ctrl+c")
        assert on.app.return_code == 0
    assert on.app.last_words == ""


async def test_ctrl_d_leaves_when_nothing_is_typed_and_deletes_otherwise() -> None:
    async with running() as on:
        await on.type("ab")
        await on.press("home", "ctrl+d")
        assert on.main.prompt.value == "b"
        assert on.app.return_code is None
        await on.press("ctrl+d", "ctrl+d")
        assert on.app.return_code == 0


async def test_leaving_tells_how_to_resume_once_something_was_said() -> None:
    async with running() as on:
        await on.say(UserMessage("hi", uuid="u1"))
        await on.press("ctrl+d")
        assert on.app.session_id == status().session_id
    async with running() as on:
        await on.press("ctrl+d")
        assert on.app.session_id == ""


async def test_shift_tab_asks_for_the_next_mode() -> None:
    async with running() as on:
        await on.press("shift+tab")
        assert [op.mode for op in on.link.of(ops.SetMode)] == ["acceptEdits"]
        await on.say(status(mode="plan"))
        assert "plan  reads only" in on.rows_of(on.main.rule)[0]
        await on.press("shift+tab")
        assert on.link.of(ops.SetMode)[-1].mode == "default"


async def test_shift_tab_comes_to_auto_only_where_it_is_offered() -> None:
    modes: tuple[PermissionMode, ...] = ("default", "acceptEdits", "plan")
    async with running() as on:
        await on.say(status(mode="plan", modes=modes))
        await on.press("shift+tab")
        await on.say(status(mode="plan", modes=(*modes, "auto")))
        await on.press("shift+tab")
        assert [op.mode for op in on.link.of(ops.SetMode)] == ["default", "auto"]
        await on.say(status(mode="auto", modes=(*modes, "auto")))
        assert "auto  a small model lets calls run" in on.rows_of(on.main.rule)[0]
        assert "auto" in on.rows[-1]
        await on.press("shift+tab")
        assert on.link.of(ops.SetMode)[-1].mode == "default"


async def test_ctrl_up_walks_through_the_conversation_and_escape_comes_back() -> None:
    async with running(up=False) as on:
        await on.say(*main_scene())
        await on.press("ctrl+up")
        assert on.main.conversation.has_focus
        assert on.main.conversation.cursor is not None
        await on.press("up", "y")
        assert "All 15 tests pass now" in on.app.clipboard
        await on.press("escape")
        assert on.main.prompt.has_focus
