from __future__ import annotations

import pytest
from textual import events

from agent_tui.protocol import ops
from agent_tui.protocol.requests import Allow, RequestClosed
from agent_tui.tui.panels.pace import AFTER_ANSWER, GRACE, TYPING_PAUSE
from tests.tui.asked import answer, asked, meant
from tests.tui.scenes import bash_question, busy, edit_question
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a14_keys_meant_for_the_prompt_answer_nothing() -> None:
    async with running() as on:
        await on.say(busy())
        for char in "yes 1 2 ":
            await on.press("space" if char == " " else char)
            on.clock.now += 1 / 15
        await on.say(bash_question())
        for key in ("space", "1", "y", "enter"):
            await on.press(key)
            on.clock.now += 1 / 15
            on.main.asking.check()
        assert not on.link.of(ops.Answer)
        assert not on.main.panel.display
        assert on.main.prompt.value == "yes 1 2  1y"
        assert not on.link.of(ops.Prompt)
        await on.pass_time(TYPING_PAUSE)
        await on.pass_time(GRACE)
        await meant(on)
        assert isinstance(answer(on), Allow)


async def test_a14_keys_just_after_the_panel_appeared_answer_nothing_either() -> None:
    async with running() as on:
        await on.say(busy())
        await on.type("yes 1 2 ")
        on.clock.now += TYPING_PAUSE
        await on.say(bash_question())
        assert on.main.panel.display
        for key in ("space", "1", "y", "enter"):
            await on.press(key)
            on.clock.now += 1 / 15
            on.main.asking.check()
        assert not on.link.of(ops.Answer)
        assert not on.link.of(ops.Prompt)
        assert on.main.prompt.value == "yes 1 2  1y"
        await on.pass_time(TYPING_PAUSE)
        await meant(on)
        assert isinstance(answer(on), Allow)
        assert on.main.prompt.value == "yes 1 2  1y"


async def test_the_panel_waits_for_a_pause_and_the_rule_says_so() -> None:
    async with running() as on:
        await on.say(busy())
        await on.type("typing")
        await on.say(bash_question())
        assert not on.main.panel.display
        assert "a question waits" in on.rows_of(on.main.rule)[0]
        await on.pass_time(TYPING_PAUSE)
        assert on.main.panel.display


async def test_the_panel_closes_when_the_engine_says_so_and_the_draft_is_kept() -> None:
    async with running() as on:
        await on.say(busy())
        await on.type("my draft")
        await asked(on, edit_question())
        assert on.rows_of(on.main.rule)[0].endswith(" draft kept ──")
        assert on.rows_of(on.main.prompt) == [" › my draft"]
        await on.say(RequestClosed("r1", "withdrawn"))
        assert not on.main.panel.display
        assert on.main.prompt.has_focus
        await on.type("!")
        assert on.main.prompt.value == "my draft!"


async def test_questions_queue_and_each_gets_its_grace() -> None:
    async with running() as on:
        await asked(on, bash_question("r1"), edit_question("r2"))
        assert any("question 1 of 2" in row for row in on.rows)
        await on.press("n", "enter")
        await on.say(RequestClosed("r1", "answered"))
        assert any("Edit src/auth.py?" in row for row in on.rows)
        await on.press("y")
        assert len(on.link.of(ops.Answer)) == 1
        assert on.main.prompt.value == ""
        await on.pass_time(AFTER_ANSWER)
        await on.press("y")
        assert [a.request_id for a in on.link.of(ops.Answer)] == ["r1", "r2"]


@pytest.mark.parametrize("delay", [0.3, 0.5, 0.66])
async def test_a_key_that_is_held_down_answers_one_question_only(delay: float) -> None:
    async with running() as on:
        await asked(on, edit_question("r1"), edit_question("r2"))
        await on.press("y")
        await on.say(RequestClosed("r1", "answered"))
        await on.pass_time(delay)
        for _ in range(40):
            await on.press("y")
            await on.pass_time(1 / 25)
        assert [a.request_id for a in on.link.of(ops.Answer)] == ["r1"]
        await on.pass_time(AFTER_ANSWER)
        await on.press("y")
        assert [a.request_id for a in on.link.of(ops.Answer)] == ["r1", "r2"]


async def test_a_word_that_begins_with_y_lets_nothing_dangerous_run() -> None:
    async with running() as on:
        await asked(on, bash_question())
        for key in ("y", "e", "s", "enter", "y", "enter"):
            await on.press(key)
            await on.pass_time(1 / 15)
        assert not on.link.of(ops.Answer)
        assert any(row.startswith(" › y  Yes") for row in on.rows)
        await on.pass_time(AFTER_ANSWER)
        await on.press("enter")
        assert isinstance(answer(on), Allow)


async def test_an_arrow_and_enter_let_nothing_dangerous_run_either() -> None:
    async with running() as on:
        await asked(on, bash_question())
        await on.press("down", "enter")
        assert not on.link.of(ops.Answer)
        await on.pass_time(AFTER_ANSWER)
        await on.press("enter")
        assert isinstance(answer(on), Allow)


async def test_ctrl_c_works_while_a_question_is_open() -> None:
    async with running() as on:
        await asked(on, edit_question())
        await on.press("ctrl+c")
        assert len(on.link.of(ops.Interrupt)) == 1


async def test_a_click_into_the_editor_gives_it_the_keyboard_and_tab_gives_it_back() -> None:
    async with running() as on:
        await asked(on, bash_question())
        await on.pilot.click(on.main.prompt, offset=(10, 0))
        await on.type("yes")
        await on.pass_time(10)
        await on.type("a")
        assert on.main.prompt.value == "yesa"
        assert not on.link.of(ops.Answer)
        await on.press("tab")
        await on.pass_time(TYPING_PAUSE)
        await meant(on)
        assert isinstance(answer(on), Allow)


async def test_a_paste_goes_to_the_draft_and_answers_nothing() -> None:
    async with running() as on:
        await asked(on, bash_question())
        on.app.screen.post_message(events.Paste("y\n"))
        await on.settle()
        assert not on.link.of(ops.Answer)
        assert on.main.prompt.value == "y\n"
        await on.press("enter", "m", "o", "r", "e")
        assert not on.link.of(ops.Answer)
        assert not on.link.of(ops.Prompt)
        assert on.main.prompt.value == "y\nmore"
        await on.pass_time(TYPING_PAUSE)
        assert on.main.asking.has_keyboard


async def test_a_paste_just_before_a_question_is_typing_too() -> None:
    async with running() as on:
        await on.say(busy())
        on.app.screen.post_message(events.Paste("a long text"))
        await on.settle()
        await on.say(bash_question())
        assert not on.main.panel.display
        await on.pass_time(TYPING_PAUSE)
        assert on.main.panel.display


async def test_a_question_gets_its_grace_again_when_another_screen_is_left() -> None:
    async with running() as on:
        await asked(on, bash_question())
        on.main.doing.show_help()
        await on.settle()
        await on.press("escape", "y")
        assert not on.link.of(ops.Answer)
        await on.pass_time(AFTER_ANSWER)
        await meant(on)
        assert isinstance(answer(on), Allow)


async def test_a_key_after_the_focus_went_astray_answers_nothing() -> None:
    async with running() as on:
        await asked(on, bash_question())
        on.main.conversation.focus()
        await on.settle()
        await on.press("y")
        assert not on.link.of(ops.Answer)
        assert on.main.prompt.value == ""
        await meant(on)
        assert isinstance(answer(on), Allow)
