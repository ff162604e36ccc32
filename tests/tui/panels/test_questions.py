from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.display import AskedQuestion, Choice, QuestionDisplay
from agent_tui.protocol.requests import Allow, Deny, PermissionRequest
from tests.tui.asked import answer, asked
from tests.tui.scenes import bash_question
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


CACHES = AskedQuestion(
    "What should happen to caches that were pickled under the old name?",
    "Caches",
    (
        Choice("Read them through the alias", "they keep working; the alias must stay"),
        Choice("Drop them at start", "one slow start for everyone"),
        Choice("Convert them once", "a small script under tools/, run by hand"),
    ),
)
WARNING = AskedQuestion(
    "Where should the warning be shown?",
    "Warning",
    (Choice("When it is imported", "once per process"), Choice("In the docs", "a note")),
    multiple=True,
)
ASKED = {"questions": [{"question": CACHES.question}]}


def question(*questions: AskedQuestion, **changes: Any) -> PermissionRequest:
    values: dict[str, Any] = {
        "id": "q1",
        "tool_name": "AskUserQuestion",
        "tool_use_id": "t9",
        "input": ASKED,
        "display": QuestionDisplay(questions),
        "title": "2 questions",
        "reason": "The model wants to know.",
    }
    return PermissionRequest(**{**values, **changes})


async def test_a_number_answers_and_the_input_goes_back_with_it() -> None:
    async with running() as on:
        await asked(on, question(CACHES))
        assert any(row.startswith(" › 1  Read them through the alias") for row in on.rows)
        assert any("Something else…" in row for row in on.rows)
        await on.press("2")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.updated_input == {**ASKED, "answers": {CACHES.question: "Drop them at start"}}


async def test_several_questions_are_answered_one_after_another() -> None:
    async with running() as on:
        await asked(on, question(CACHES, WARNING))
        assert any("question 1 of 2" in row for row in on.rows)
        await on.press("enter")
        assert not on.link.of(ops.Answer)
        await on.press("space", "down", "space", "enter")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.updated_input is not None
        assert given.updated_input["answers"] == {
            CACHES.question: "Read them through the alias",
            WARNING.question: ["When it is imported", "In the docs"],
        }


async def test_own_words_are_typed_in_a_field() -> None:
    async with running() as on:
        await asked(on, question(CACHES))
        await on.press("4")
        await on.type("ask the users")
        assert not on.link.of(ops.Answer)
        await on.press("enter")
        given = answer(on)
        assert isinstance(given, Allow)
        assert given.updated_input is not None
        assert given.updated_input["answers"] == {CACHES.question: "ask the users"}


async def test_escape_leaves_the_field_first_and_then_gives_no_answer() -> None:
    async with running() as on:
        await asked(on, question(CACHES))
        await on.press("4")
        await on.type("hm")
        await on.press("escape")
        assert not on.link.of(ops.Answer)
        await on.press("escape")
        assert answer(on) == Deny(interrupt=True)


async def test_what_we_ask_ourselves_offers_our_words_only_and_escape_stops() -> None:
    budget = AskedQuestion("The budget is used up.", "", (Choice("Raise it by $5"), Choice("Stop")))
    async with running() as on:
        await asked(on, question(budget, tool_name="", tool_use_id="", input={}))
        assert not any("Something else" in row for row in on.rows)
        assert any(row.startswith(" › 2  Stop") for row in on.rows)
        await on.press("escape")
        assert answer(on) == Deny()


async def test_explanations_stand_in_one_column_and_own_words_are_shown_once() -> None:
    async with running() as on:
        await asked(on, question(CACHES, WARNING))
        columns = {row.index(said) for said in ("they keep", "one slow", "once per", "a note") for row in on.rows if said in row}  # fmt: skip
        assert len(columns) == 1
        await on.press("4")
        await on.type("keep both")
        await on.press("enter")
        assert on.text.count("keep both") == 1


async def test_the_other_kind_of_question_comes_in_its_own_panel() -> None:
    async with running() as on:
        await asked(on, question(CACHES))
        await on.press("1")
        await on.say(bash_question())
        rows = "\n".join(on.rows)
        assert "Read them through the alias" in rows


@pytest.mark.parametrize("size", [(40, 10), (60, 24)])
async def test_on_a_small_screen_the_row_under_the_cursor_is_in_sight(
    size: tuple[int, int],
) -> None:
    async with running(size=size) as on:
        await asked(on, question(CACHES, WARNING))
        for _ in range(3):
            await on.press("down")
        assert any(row.startswith(" › 4") for row in on.rows)
        await on.press("up")
        assert any(row.startswith(" › 3") for row in on.rows)


async def test_questions_of_a_sub_agent_name_it() -> None:
    async with running() as on:
        await asked(on, question(CACHES, agent="Explore: find callers"))
        assert any("Asked by sub-agent Explore: find callers" in row for row in on.rows)


async def test_where_there_is_no_room_beside_it_the_meaning_of_a_choice_stands_below_it() -> None:
    async with running(size=(60, 24)) as on:
        await asked(on, question(CACHES))
        assert any(row.strip().startswith("they keep working;") for row in on.rows)
        await on.press("down")
        assert any(row.strip() == "one slow start for everyone" for row in on.rows)
        assert "they keep" not in on.text
