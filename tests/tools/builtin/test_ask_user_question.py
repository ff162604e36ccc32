"""AskUserQuestion."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.access import AskUser
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import AskedQuestion, Choice, QuestionDisplay
from agent_tui.tools.base import InvalidInputError, ToolOutput
from agent_tui.tools.builtin.ask_user_question import TOOL
from tests.tools.place import Place, require_sendable

pytestmark = pytest.mark.anyio


def option(label: str, **more: str) -> JsonObject:
    return {"label": label, "description": f"take {label}", **more}


def question(words: str = "Which?", *labels: str, **more: Any) -> JsonObject:
    options = [option(label) for label in labels or ("A", "B")]
    return {"question": words, "header": "Pick", "options": options, **more}


async def answered(place: Place, *questions: JsonObject, **given: Any) -> ToolOutput:
    output = await TOOL.run(TOOL.answered({"questions": list(questions), **given}), place.call())
    require_sendable(output)
    return output


async def test_the_answers_reach_the_model_and_programs(place: Place) -> None:
    asked = [question(), question("How many?", "one", "two", "three", multiSelect=True)]
    output = await answered(
        place, *asked, answers={"How many?": ["one", "three"], "Which?": "my own words"}
    )
    assert output.content == "The user answered:\nWhich? -> my own words\nHow many? -> one, three"
    assert output.is_error is None
    assert isinstance(output.structured, dict)
    assert output.structured["answers"] == {
        "Which?": "my own words",
        "How many?": ["one", "three"],
    }
    assert output.structured["questions"][1]["multiSelect"] is True
    assert output.structured["questions"][0]["options"][0] == option("A")
    assert isinstance(output.display, QuestionDisplay)
    assert [one.answer for one in output.display.questions] == ["my own words", "one, three"]


async def test_a_free_reply_is_told_too(place: Place) -> None:
    output = await answered(place, question(), response="Neither, stop.")
    assert output.content == "The user responded: Neither, stop."
    assert isinstance(output.structured, dict)
    assert output.structured["response"] == "Neither, stop."


async def test_a_question_without_an_answer_is_named(place: Place) -> None:
    output = await answered(
        place, question(), question("And?"), answers={"And?": "B", "Which?": ""}
    )
    assert output.content == "The user answered:\nAnd? -> B\nWhich? -> (no answer)"


async def test_let_through_without_an_answer_is_an_error_that_says_so(place: Place) -> None:
    output = await place.run(TOOL, questions=[question()])
    assert output.is_error
    assert "Nobody answered" in str(output.content)
    assert (await answered(place, question(), answers={"Which?": " "})).is_error


async def test_the_question_that_is_asked_shows_everything(place: Place) -> None:
    args = TOOL.parse(
        {"questions": [{**question(), "options": [option("A", preview="code"), option("B")]}]}
    )
    display = await TOOL.proposal(args, place.call())
    choices = (Choice("A", "take A", "code"), Choice("B", "take B"))
    assert display == QuestionDisplay((AskedQuestion("Which?", "Pick", choices),))
    assert TOOL.access(args, place.folder) == AskUser()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"questions": []}, "questions"),
        ({"questions": [question(str(n)) for n in range(5)]}, "at most 4"),
        ({"questions": [question("Which?", "only")]}, "at least 2"),
        ({"questions": [question("Which?", *"ABCDE")]}, "at most 4"),
        ({"questions": [question("Which?", "A", "A")]}, "label 'A' is there twice"),
        ({"questions": [question(), question()]}, "question 'Which?' is there twice"),
        ({"questions": [{"header": "Pick"}]}, "`questions.0.question` is missing"),
        ({"questions": [question("half \ud83d")]}, "half of a surrogate pair"),
        ({"questions": [question()], "answers": {"Which?": "A"}}, "there is no field `answers`"),
    ],
)
async def test_what_can_not_be_asked_is_refused_with_the_reason(
    given: JsonObject, says: str
) -> None:
    with pytest.raises(InvalidInputError) as raised:
        TOOL.parse(given)
    assert says in str(raised.value)
