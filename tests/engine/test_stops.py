"""Every stop reason, limit and failure has a destination."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.journal.entries import UserEntry
from agent_tui.journal.file import Reading
from agent_tui.settings.options import LimitOptions
from tests.engine.sessions import Place, Talk
from tests.fakes.api_server import (
    Block,
    cut,
    eof,
    http_error,
    reply,
    rule,
    sse_error,
    text,
    thinking,
    tool,
)

pytestmark = pytest.mark.anyio


def limited(place: Place, **limits: float) -> Place:
    options = replace(place.options, limits=LimitOptions(**limits))  # pyright: ignore[reportArgumentType]
    return replace(place, options=options)


def worked_example(place: Place) -> None:
    """Bash; two reads; edit and bash; text: four turns, three with tools."""
    place.write("auth.py", "bug")
    place.api.enqueue(
        reply(tool("Bash", command="echo 3 failures")),
        reply(tool("Read", file_path="auth.py"), tool("Read", file_path="auth.py")),
        reply(
            tool("Edit", file_path="auth.py", old_string="bug", new_string="fix"),
            tool("Bash", command="echo ok"),
        ),
        "Fixed.",
    )


@pytest.mark.parametrize(
    ("turns", "subtype", "text_after", "requests"),
    [
        (4, "success", "fix", 4),
        (3, "error_max_turns", "fix", 3),
        (2, "error_max_turns", "bug", 2),
        (0, "success", "fix", 4),
    ],
)
async def test_max_turns_on_the_worked_example(
    place: Place, turns: int, subtype: str, text_after: str, requests: int
) -> None:
    worked_example(place)
    talk = await limited(place, max_turns=turns).talk("fix the tests")
    assert talk.result.subtype == subtype
    assert (place.project / "auth.py").read_text() == text_after
    assert len(place.api.messages) == requests
    if subtype != "success":
        assert talk.result.result is None
        assert talk.result.terminal_reason == "max_turns"
        assert talk.result.errors


async def test_a_text_only_answer_with_one_turn_is_a_success(place: Place) -> None:
    place.api.enqueue("hello")
    assert (await limited(place, max_turns=1).talk("hi")).result.subtype == "success"


async def test_the_budget_is_checked_when_a_response_has_come(place: Place) -> None:
    place.api.enqueue(reply("Working.", tool("Bash", command="touch made")))
    talk = await limited(place, max_budget_usd=0.0001).talk("go")
    assert talk.result.subtype == "error_max_budget_usd"
    assert talk.result.terminal_reason == "budget_exhausted"
    assert talk.texts == ["Working."]
    assert not (place.project / "made").exists()
    assert (
        not talk.tool_results
    )  # a program learns it from the result; the journal has it for the model
    [line] = [
        e
        for e in Reading(talk.journal)
        if isinstance(e, UserEntry) and not e.is_prompt and not e.is_meta
    ]
    assert "Not run: Reached maximum budget" in str(line.blocks)
    assert talk.result.total_cost_usd is not None and talk.result.total_cost_usd > 0.0001


async def test_later_prompts_of_a_spent_budget_end_at_once_until_clear(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await limited(place, max_budget_usd=0.0001).talk("a", "b", "/clear", "c")
    assert [r.subtype for r in talk.results] == [
        "error_max_budget_usd",
        "error_max_budget_usd",
        "success",
        "error_max_budget_usd",
    ]
    assert len(place.api.messages) == 2
    assert talk.results[2].total_cost_usd == 0


async def test_a_resumed_session_goes_on_from_its_total_and_its_budget_counts_from_now(
    place: Place,
) -> None:
    place.api.enqueue(reply("one", usage={"output_tokens": 40_000}), "two")
    first = await place.talk("a")
    spent = first.result.total_cost_usd
    assert spent is not None and spent > 0.3
    again = await limited(place.resuming(first.session_id), max_budget_usd=0.3).talk("b")
    assert again.result.subtype == "success"
    assert again.result.total_cost_usd is not None and again.result.total_cost_usd > spent


async def test_pause_turn_goes_on(place: Place) -> None:
    place.api.enqueue(reply("paused", stop_reason="pause_turn"), "resumed")
    talk = await place.talk("go")
    assert talk.texts == ["paused", "resumed"]
    assert talk.result.num_turns == 2


async def test_n6_text_cut_by_the_output_limit_is_asked_to_go_on(place: Place) -> None:
    place.api.enqueue(reply("half of a wo", stop_reason="max_tokens"), "rd and the rest.")
    talk = await place.talk("go")
    assert talk.result.subtype == "success"
    assert any("output limit" in notice for notice in talk.notices)
    assert "Go on exactly where it stopped" in place.api.messages[1].last_user_text


@pytest.mark.parametrize("blocks", [(thinking("long " * 6400),), (text("half of a wo"),)])
async def test_n6_an_answer_that_stays_cut_does_not_look_finished(
    place: Place, blocks: tuple[Block, ...]
) -> None:
    place.api.add_rule(lambda request: True, reply(*blocks, stop_reason="max_tokens"))
    talk = await place.talk("go")
    assert talk.result.subtype == "error_during_execution"
    assert talk.result.is_error
    assert talk.result.errors is not None and "output limit" in talk.result.errors[0]
    assert "Say 'go on' to continue." in talk.result.errors[0]
    assert len(place.api.messages) == 4


async def test_n6_an_unknown_stop_reason_is_told(place: Place) -> None:
    place.api.enqueue(reply("text", stop_reason="foo"))
    talk = await place.talk("go")
    assert talk.result.is_error
    assert talk.result.errors is not None and "foo" in talk.result.errors[0]


async def test_n6_a_full_window_is_compacted_and_goes_on(place: Place) -> None:
    place.api.add_rule(
        lambda request: "summar" in request.last_user_text.lower(),
        reply("<summary>what happened</summary>"),
    )
    place.api.enqueue(
        reply("first answer"),
        reply(
            "cut he", stop_reason="model_context_window_exceeded", usage={"input_tokens": 990_000}
        ),
        "and on",
    )
    talk = await place.talk("one", "two")
    assert talk.result.subtype == "success"
    assert len(talk.system("compact_boundary")) == 1


async def test_n5_a_call_cut_by_the_output_limit_is_not_run_and_the_model_is_told(
    place: Place,
) -> None:
    file = place.write("big.txt", "old " * 4000)
    whole = tool("Write", file_path=str(file), content="closed but cut")
    half = tool("Write", raw='{"file_path": "big.txt", "content": "cut he')
    for block in (half, whole):
        place.api.enqueue(reply("Writing.", block, stop_reason="max_tokens"), "In parts then.")
        talk = await place.mode("acceptEdits").talk("write it")
        assert file.read_text() == "old " * 4000
        assert "output limit" in str(talk.tool_results[-1].content)
        assert "in smaller parts" in str(place.api.messages[-1].tool_results[-1]["content"])
        assert talk.result.subtype == "success"


async def test_n5_the_same_request_is_not_repeated_for_ever(place: Place) -> None:
    half = tool("Write", raw='{"file_path": "big.txt", "content": "cut he')
    place.api.add_rule(lambda request: True, reply(half, stop_reason="max_tokens"))
    talk = await place.talk("write it")
    assert talk.result.is_error
    assert len(place.api.messages) == 3


async def test_n7_a_refusal_is_told_and_the_next_prompt_works(place: Place) -> None:
    place.api.add_rule(
        lambda request: "XQZ" in str(request.body),
        reply(
            stop_reason="refusal",
            stop_details={"type": "refusal", "category": "cyber", "explanation": "no"},
        ),
    )
    place.api.enqueue("Hello to you.")
    talk = await place.talk("please XQZ", "hello")
    assert any("refused" in notice for notice in talk.notices)
    assert (talk.results[0].stop_reason, talk.results[0].is_error) == ("refusal", True)
    assert talk.results[1].result == "Hello to you."


async def test_an_empty_answer_is_asked_once_more_then_taken(place: Place) -> None:
    place.api.enqueue(reply(), "Sorry: here it is.")
    talk = await place.talk("go")
    assert talk.result.result == "Sorry: here it is."
    place.api.enqueue(reply(), reply())
    talk = await place.talk("go")
    assert talk.result.subtype == "success"


async def test_n1_overloaded_inside_a_stream_is_retried_in_sight(place: Place) -> None:
    place.variables["CLAUDE_CODE_MAX_RETRIES"] = "3"
    error = sse_error("overloaded_error", "Overloaded")
    place.api.enqueue(reply("x", fault=error), reply("x", fault=error), "At last.")
    talk = await place.talk("go")
    assert talk.texts == ["At last."]
    retries = talk.system("api_retry")
    assert [r.data["attempt"] for r in retries] == [1, 2]
    assert retries[1].data["retry_delay_ms"] > retries[0].data["retry_delay_ms"] / 2
    assert talk.result.subtype == "success"


async def test_n2_a_stream_cut_inside_a_call_writes_nothing_and_is_retried(place: Place) -> None:
    half = tool("Write", file_path="a.txt", content="line 1\nline 2")
    for fault, why in ((cut(0, 40), "broke off"), (eof(0, 40), "ended before the answer")):
        place.api.enqueue(reply(half, fault=fault), "No file needed.")
        talk = await place.mode("acceptEdits").talk("write")
        assert not (place.project / "a.txt").exists()
        [retry] = talk.system("api_retry")
        assert why in str(retry.data["reason"])
        assert "limit" not in str(retry.data["reason"])
        assert not any("output limit" in notice for notice in talk.notices)
        assert talk.result.subtype == "success"


async def test_a_stream_cut_after_a_whole_call_runs_it_once(place: Place) -> None:
    first = tool("Bash", command="echo ran >> log")
    place.api.enqueue(reply(first, text("and then"), fault=cut(1, 2)), "ok")
    talk = await place.talk("go")
    assert (place.project / "log").read_text() == "ran\n"
    assert any("broke off" in notice for notice in talk.notices)
    assert talk.result.subtype == "success"


async def test_a_failure_for_good_is_an_answer_and_an_error(place: Place) -> None:
    place.variables["CLAUDE_CODE_MAX_RETRIES"] = "1"
    overloaded = http_error(529, "overloaded_error", "Overloaded")
    place.api.enqueue(overloaded, overloaded)
    talk = await place.talk("go")
    assert len(talk.system("api_retry")) == 1
    result = talk.result
    assert (result.subtype, result.is_error, result.api_error_status) == ("success", True, 529)
    assert result.terminal_reason == "api_error"
    assert talk.texts == [result.result]


@pytest.mark.parametrize("status", [401, 403])
async def test_a_wrong_key_is_not_retried(place: Place, status: int) -> None:
    kind = "authentication_error" if status == 401 else "permission_error"
    place.api.enqueue(http_error(status, kind, "no"))
    talk = await place.talk("go")
    assert len(place.api.messages) == 1
    assert talk.result.api_error_status == status


async def test_a_prompt_too_long_is_compacted_and_tried_once_more(place: Place) -> None:
    place.api.enqueue(
        "first answer",
        http_error(
            400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"
        ),
        reply("<summary>so far</summary>"),
        "second answer",
    )
    talk = await place.talk("one", "two")
    assert talk.result.result == "second answer"
    assert len(talk.system("compact_boundary")) == 1


def said(talk: Talk) -> list[str]:
    return [type(m).__name__ for m in talk.heard]


_ = rule
