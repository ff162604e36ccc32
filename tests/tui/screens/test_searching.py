from __future__ import annotations

from typing import Any

import pytest

from agent_tui.link.base import EngineUp
from agent_tui.protocol.looking import Find, Found
from agent_tui.protocol.messages import UserMessage
from agent_tui.protocol.queries import MessagePage, Page
from agent_tui.protocol.records import to_record
from agent_tui.settings.options import Options, SessionOptions
from tests.tui.scenes import SESSION, bash_question, busy, main_scene, status
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def facts(on: Stage) -> str:
    """What the field says at its right."""
    return on.rows_of(on.main.searching.bar)[0].partition("  ")[2].strip()


async def talk(on: Stage) -> None:
    for message in main_scene():
        await on.say(message)


async def test_f3_finds_and_goes_from_place_to_place_and_esc_leads_back() -> None:
    async with running(size=(120, 30)) as on:
        await talk(on)
        await on.type("draft")
        before = on.rows_of(on.main.conversation)
        await on.press("f3")
        await on.type("refresh")
        assert facts(on).startswith("place ")
        number, total = facts(on).removeprefix("place ").split(" of ")
        assert int(total) > 3
        await on.press("enter")
        assert facts(on) == f"place {int(number) - 1} of {total}"
        await on.press("down")
        assert facts(on).startswith(f"place {number} of")
        await on.press("escape")
        assert on.rows_of(on.main.conversation) == before
        assert on.app.focused is on.main.prompt and on.main.prompt.value == "draft"
        assert not on.main.searching.is_open and on.main.conversation.finding is None


async def test_ctrl_f_finds_when_nothing_is_typed_and_is_the_editors_else() -> None:
    async with running() as on:
        await on.type("ab")
        await on.press("home", "ctrl+f")
        assert not on.main.searching.is_open
        await on.press("ctrl+c")
        await on.press("ctrl+f")
        assert on.main.searching.is_open


async def test_tab_stays_and_walks_on_with_n_and_the_field_comes_back_with_its_text() -> None:
    async with running(size=(120, 30)) as on:
        await talk(on)
        await on.press("f3")
        await on.type("refresh")
        await on.press("tab")
        conversation = on.main.conversation
        assert on.app.focused is conversation and not on.main.searching.is_open
        assert conversation.finding is not None and conversation.cursor is not None
        at = conversation.finding.number
        await on.press("n")
        assert conversation.finding.number == at - 1
        assert conversation.finding.entry is not None
        assert conversation.cursor is conversation.finding.entry.block
        await on.press("N")
        assert conversation.finding.number == at
        await on.press("slash")
        assert on.main.searching.is_open and on.main.searching.bar.value == "refresh"
        await on.press("tab", "escape")
        assert conversation.finding is None and on.app.focused is on.main.prompt


async def test_what_is_not_there_is_said_and_beyond_the_last_place_it_begins_anew() -> None:
    async with running(size=(120, 30)) as on:
        await talk(on)
        await on.press("f3")
        await on.type("expired")
        total = facts(on).rpartition(" ")[2]
        for _ in range(int(total)):
            await on.press("enter")
        assert facts(on) == f"place {total} of {total}"
        await on.press("down")
        assert facts(on) == f"place 1 of {total}"
        await on.type("quince")
        assert facts(on) == "nothing found"


def record(number: int) -> dict[str, Any]:
    text = f"needle {number}" if number % 10 == 3 else f"prompt {number}"
    return dict(to_record(UserMessage(text, uuid=f"u{number}", session_id=SESSION)))


def paged(query: Page) -> MessagePage:
    """Forty prompts of a session, ten at a time."""
    end = 40 if query.before is None else int(query.before.removeprefix("u"))
    start = max(0, end - 10)
    return MessagePage(tuple(record(n) for n in range(start, end)), start > 0)


def older(query: Find) -> Found:
    end = int((query.before or "u40").removeprefix("u"))
    return Found(sum(n % 10 == 3 for n in range(end)) if query.text in "needle" else 0)


async def test_places_in_older_messages_count_and_are_fetched_when_one_comes_to_them() -> None:
    options = Options(cwd="/", interactive=True, session=SessionOptions(resume=SESSION))
    replies: dict[type[Any], Any] = {Page: paged, Find: older}
    async with running(size=(80, 30), options=options, up=False, replies=replies) as on:
        await on.say(EngineUp(), status())
        await on.press("f3")
        await on.type("needle")
        await on.pilot.pause(0.4)
        await on.settle()
        assert facts(on) == "place 4 of 4"
        asked = len([q for q in on.link.asked if isinstance(q, Page)])
        await on.press("enter")
        await on.settle()
        assert facts(on) == "place 3 of 4" and "needle 23" in on.text
        assert len([q for q in on.link.asked if isinstance(q, Page)]) == asked + 1
        for expected in ("place 2 of 4", "place 1 of 4", "place 4 of 4"):
            await on.press("enter")
            await on.settle()
            assert facts(on) == expected


async def test_a_text_that_is_in_older_messages_only_is_fetched() -> None:
    options = Options(cwd="/", interactive=True, session=SessionOptions(resume=SESSION))

    def all_older(query: Find) -> Found:
        return Found(1 if query.text == "prompt 5" and int((query.before or "u40")[1:]) > 5 else 0)

    replies: dict[type[Any], Any] = {Page: paged, Find: all_older}
    async with running(size=(80, 30), options=options, up=False, replies=replies) as on:
        await on.say(EngineUp(), status())
        await on.press("f3")
        await on.type("prompt 5")
        await on.pilot.pause(0.4)
        await on.settle()
        assert "prompt 5" in "\n".join(on.rows_of(on.main.conversation))
        assert facts(on) == "place 1 of 1"


async def test_a_question_waits_for_a_pause_in_typing_and_ends_the_search() -> None:
    async with running(size=(120, 40)) as on:
        await talk(on)
        await on.press("f3")
        await on.type("ref")
        await on.say(busy(), bash_question())
        assert on.main.panel.request is None
        await on.type("resh")
        assert on.main.searching.bar.value == "refresh"
        await on.pass_time(10)
        await on.pass_time(10)
        assert on.main.panel.request is not None
        await on.press("y")
        assert not on.main.searching.is_open and on.main.conversation.finding is None


async def test_the_rule_names_the_keys() -> None:
    async with running() as on:
        await on.press("f3")
        assert "enter before   down next   tab stay here   esc back" in on.text


async def test_while_one_walks_the_rule_names_what_can_be_done() -> None:
    async with running(size=(120, 30)) as on:
        await talk(on)
        await on.press("ctrl+up")
        assert "enter unfold   y copy   c part   r raw   / find   esc back" in on.text
        await on.press("y")
        assert "copied" in on.text and "enter unfold" not in on.text
        await on.press("slash")
        await on.type("refresh")
        await on.press("tab")
        assert "n before   N next   / again   esc back" in on.text
        await on.press("escape")
        assert "esc back" not in on.text


async def test_a_key_right_behind_the_last_letter_steps_from_what_that_letter_found() -> None:
    async with running(size=(120, 30)) as on:
        await talk(on)
        await on.press("f3")
        await on.pilot.press(*"refresh", "enter", "tab")
        await on.settle()
        finding = on.main.conversation.finding
        assert finding is not None and finding.text == "refresh"
        assert finding.number == finding.here - 1
