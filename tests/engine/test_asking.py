"""What the loop itself asks the person at the screen, and what a program gets in its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio
import pytest

from agent_tui.engine.opening import with_session
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from agent_tui.protocol.display import QuestionDisplay
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import StatusChanged
from agent_tui.protocol.ops import Answer, Interrupt, Op, Prompt
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionAnswer,
    PermissionRequest,
    RequestClosed,
)
from agent_tui.settings.options import LimitOptions, ToolOptions
from tests.engine.sessions import Place, Talk
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio

Answers = Callable[[PermissionRequest], Op]


def choosing(number: int) -> Answers:
    """Answer a question of the loop's with its choice of this number; allow calls."""

    def answer(request: PermissionRequest) -> Op:
        given: PermissionAnswer = Allow()
        if isinstance(request.display, QuestionDisplay):
            [question] = request.display.questions
            given = Allow({"answers": {question.question: question.choices[number].label}})
        return Answer(request.id, given)

    return answer


def declining(request: PermissionRequest) -> Op:
    return Answer(request.id, Deny())


async def at_the_screen(place: Place, answer: Answers, *prompts: str) -> Talk:
    """A session as the screen has it; each prompt is read until the session rests."""
    talk = Talk()

    async def body(opened: Any) -> None:
        talk.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            for number, text in enumerate(prompts):
                opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                async for message in messages:
                    talk.heard.append(message)
                    if isinstance(message, PermissionRequest):
                        opened.session.send(answer(message))
                    rests = isinstance(message, StatusChanged) and not message.busy
                    if rests and len(talk.results) == number + 1:
                        break

    with anyio.fail_after(30):
        await with_session(place.options, place.env, body)
    return talk


def questions(talk: Talk) -> list[PermissionRequest]:
    return [m for m in talk.heard if isinstance(m, PermissionRequest) and m.tool_name == ""]


def budgets(talk: Talk) -> list[float | None]:
    return [m.budget_usd for m in talk.heard if isinstance(m, StatusChanged)]


def with_budget(place: Place, usd: float) -> Place:
    options = replace(place.options, limits=LimitOptions(max_budget_usd=usd))
    return replace(place, options=options)


async def test_a_budget_that_is_used_up_asks_and_goes_on_when_it_is_raised(place: Place) -> None:
    place.write("a.txt", "x")
    place.api.enqueue(reply("Looking.", tool("Read", file_path="a.txt")), "Done.", "More.")
    talk = await at_the_screen(with_budget(place, 0.0001), choosing(1), "go", "and more")
    assert [result.subtype for result in talk.results] == ["success", "success"]
    [asked] = questions(talk)
    assert asked.title.startswith("The budget of $0.0001 is used up")
    assert not talk.tool_results[0].is_error
    assert budgets(talk)[0] == 0.0001 and budgets(talk)[-1] is None
    closed = [m for m in talk.heard if isinstance(m, RequestClosed)]
    assert closed == [RequestClosed(asked.id, "answered")]


@pytest.mark.parametrize("answer", [choosing(2), declining])
async def test_stopped_there_the_session_stays_and_asks_again_at_the_next_prompt(
    place: Place, answer: Answers
) -> None:
    place.write("a.txt", "x")
    place.api.enqueue(reply("Looking.", tool("Read", file_path="a.txt")))
    talk = await at_the_screen(with_budget(place, 0.0001), answer, "go", "and more")
    assert [result.subtype for result in talk.results] == ["error_max_budget_usd"] * 2
    assert len(questions(talk)) == 2
    assert [r.is_error for r in talk.tool_results] == [True]
    assert len(place.api.messages) == 1
    assert not fold(Reading(talk.journal)).open_tool_uses


async def test_an_interrupt_while_it_is_asked_withdraws_the_question(place: Place) -> None:
    place.write("a.txt", "x")
    place.api.enqueue(reply("Looking.", tool("Read", file_path="a.txt")))
    talk = await at_the_screen(with_budget(place, 0.0001), lambda request: Interrupt(), "go")
    assert talk.result.terminal_reason == "aborted_tools"
    closed = [m for m in talk.heard if isinstance(m, RequestClosed)]
    assert [m.how for m in closed] == ["withdrawn"]
    assert not fold(Reading(talk.journal)).open_tool_uses


async def test_the_third_call_that_fails_the_same_way_is_asked_about(place: Place) -> None:
    calls = [reply(tool("Read", file_path="missing.txt")) for _ in range(3)]
    place.api.enqueue(*calls, "I give up.")
    talk = await at_the_screen(place, choosing(1), "go")
    [asked] = questions(talk)
    assert "Read has failed 2 times" in asked.title
    assert talk.result.result == "I give up."
    assert "another approach" in str(talk.tool_results[2].content)


async def test_a_program_is_never_asked(place: Place) -> None:
    place.api.enqueue(*[reply(tool("Read", file_path="missing.txt")) for _ in range(5)])
    talk = await place.talk("go")
    assert talk.result.subtype == "error_during_execution"
    assert talk.result.terminal_reason == "malformed_tool_use_exhausted"
    assert len(place.api.messages) == 5
    assert not questions(talk)


@pytest.mark.parametrize("usd", [0.0, -1.0])
async def test_a_budget_of_nothing_is_refused_at_the_start(place: Place, usd: float) -> None:
    with pytest.raises(UsageError, match="budget"):
        await with_budget(place, usd).talk("go")


def wanting(place: Place, schema: dict[str, Any]) -> Place:
    return replace(place, options=replace(place.options, tools=ToolOptions(schema=schema)))


async def test_an_answer_in_the_form_that_was_asked_for(place: Place) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    place.api.enqueue(
        reply(tool("StructuredOutput", n="five")), "It is 5.", reply(tool("StructuredOutput", n=5))
    )
    talk = await wanting(place, schema).talk("how many?")
    assert talk.result.structured_output == {"n": 5}
    assert (talk.result.result, talk.result.stop_reason) == ('{"n": 5}', "tool_use")
    assert len(place.api.messages) == 3
    assert "StructuredOutput" in talk.system("init")[0].data["tools"]
    again = fold(Reading(talk.journal))
    assert not again.open_tool_uses


async def test_a_list_is_wrapped_for_the_server_and_unwrapped_for_the_program(place: Place) -> None:
    schema = {"type": "array", "items": {"$ref": "#/$defs/w"}, "$defs": {"w": {"type": "string"}}}
    place.api.enqueue(reply(tool("StructuredOutput", value=["a", "b"])))
    talk = await wanting(place, schema).talk("which?")
    assert talk.result.structured_output == ["a", "b"]


async def test_the_environment_bounds_the_tries(place: Place) -> None:
    place.variables["MAX_STRUCTURED_OUTPUT_RETRIES"] = "2"
    place.api.enqueue("no", "never")
    talk = await wanting(place, {"type": "object"}).talk("which?")
    assert talk.result.subtype == "error_max_structured_output_retries"
    assert len(place.api.messages) == 2


async def test_a_schema_that_cannot_be_used_is_refused_at_the_start(place: Place) -> None:
    with pytest.raises(UsageError, match="schema"):
        await wanting(place, {"type": "nonsense"}).talk("go")
    assert not place.api.messages
