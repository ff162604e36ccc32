"""Typing on the whole screen: keys that the person has chosen, Vim, lines for the shell, folded pastes."""

from __future__ import annotations

import pytest
from textual import events

from agent_tui.protocol import ops
from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.messages import QueueChanged, QueuedPrompt, UserMessage
from agent_tui.settings.keybindings import SourcedKeys
from agent_tui.settings.positions import Written
from agent_tui.tui.habits import habits_of
from tests.tui.scenes import busy
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def rebind(on: Stage, keys: dict[str, object]) -> None:
    """Have these keys, as if the settings had said so."""
    habits = habits_of((SourcedKeys(keys, Written("settings.json")),), None)
    on.main.backstage.look.habits.keys = habits.keys


async def test_keys_of_the_persons_own_do_what_they_are_to_and_are_named_in_hints() -> None:
    async with running() as on:
        rebind(
            on,
            {
                "screen:stash": "f7",
                "edit:submit": "alt+enter",
                "edit:newLine": "enter",
                "screen:detail": "ctrl+x",
                "empty:help": "f1",
            },
        )
        await on.type("a draft")
        await on.press("f7")
        assert "1 put aside, f7" in on.text
        await on.press("f7", "enter", "b", "alt+enter")
        assert [prompt.text for prompt in on.link.of(ops.Prompt)] == ["a draft\nb"]
        await on.say(busy())
        assert "ctrl+x detail" in on.text
        await on.press("f1")
        assert "alt+enter" in on.text
        assert "Help" in on.rows[0]


async def test_what_is_wrong_with_the_keys_is_said_at_the_start() -> None:
    problem = "settings.json:3: there is no action 'screen:taks'; did you mean screen:tasks?"
    async with running() as on:
        on.main.backstage.look.habits.problems = (problem,)
        on.main.tell_problems()
        await on.settle()
        assert "there is no action 'screen:taks'" in on.text
        assert on.main.backstage.look.habits.problems == ()


async def test_vim_is_switched_on_and_its_mode_stands_in_the_rule() -> None:
    async with running() as on:
        await on.type("/vim")
        await on.press("enter")
        assert any(row.startswith("── insert ") for row in on.rows)
        await on.type("one two")
        await on.press("escape", "d", "b")
        assert on.main.prompt.value == "one o"
        assert any(row.startswith("── normal ") for row in on.rows)
        await on.press("enter")
        assert [prompt.text for prompt in on.link.of(ops.Prompt)] == ["one o"]


async def test_with_vim_esc_in_normal_mode_stops_the_run() -> None:
    async with running() as on:
        on.main.backstage.look.habits.vim = True
        await on.say(busy())
        await on.type("draft")
        await on.press("escape")
        assert not on.link.of(ops.Interrupt)
        await on.press("escape")
        assert on.link.of(ops.Interrupt)
        assert on.main.prompt.value == "draft"


async def test_a_line_for_the_shell_is_told_before_it_is_sent_and_shown_as_a_card() -> None:
    async with running() as on:
        await on.type("! git log")
        assert "shell line: runs at once, unasked" in on.text
        await on.press("enter")
        [prompt] = on.link.of(ops.Prompt)
        assert (prompt.text, prompt.shell) == ("git log", True)
        shown = CommandDisplay("git log", exit_code=0, head=("first commit",))
        await on.say(
            UserMessage("<bash-input>git log</bash-input>", "u1", display=shown, synthetic=True),
            UserMessage(
                "<bash-stdout>first commit</bash-stdout>",
                "u2",
                display=shown,
                synthetic=True,
                duration_ms=30,
            ),
        )
        [card] = [row for row in on.rows if "Shell  git log" in row]
        assert "1 line" not in card
        assert "first commit" in on.text
        await on.press("up")
        assert on.main.prompt.value == "! git log"


async def test_an_empty_line_for_the_shell_stays() -> None:
    async with running() as on:
        await on.type("! ")
        await on.press("enter")
        assert not on.link.of(ops.Prompt)
        assert on.main.prompt.value == "! "
        assert "what is the shell to run?" in on.text


async def test_a_queued_line_for_the_shell_is_edited_as_it_was_typed() -> None:
    async with running() as on:
        await on.say(busy())
        await on.type("! make")
        await on.press("enter")
        [prompt] = on.link.of(ops.Prompt)
        await on.say(QueueChanged((QueuedPrompt(prompt.uuid, "make", shell=True),)))
        assert any("! make" in row for row in on.rows)
        await on.press("ctrl+q", "e")
        assert on.main.prompt.value == "! make"
        await on.type(" test")
        await on.press("enter")
        [edited] = [i for i in on.link.of(ops.EditQueue)[-1].items if i.text == "make test"]
        assert edited.shell


async def test_a_folded_paste_shows_itself_on_a_key() -> None:
    async with running() as on:
        on.main.prompt.post_message(events.Paste("line\n" * 300))
        await on.settle()
        assert "[pasted 301 lines]" in on.text
        assert "ctrl+o show the whole paste" in on.text
        await on.type("x")
        assert "show the whole paste" not in on.text
        await on.press("left", "ctrl+o")
        assert on.main.prompt.editor.text == "line\n" * 300 + "x"


async def test_a_command_with_a_first_prompt_never_runs_it_in_the_shell() -> None:
    async with running(first_prompt="!rm -rf x") as on:
        [prompt] = on.link.of(ops.Prompt)
        assert (prompt.text, prompt.shell) == ("!rm -rf x", False)
