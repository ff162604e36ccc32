from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.journal.entries import ResultEntry
from agent_tui.loop.hooks import NoHooks
from agent_tui.loop.limits import TurnLimit, spent_usd
from agent_tui.loop.unfinished import MAX_PAUSES
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.requests import Allow, Deny
from agent_tui.protocol.usage import Usage
from agent_tui.tools.base import ToolCall, ToolOutput
from tests.context.wire import complaints
from tests.fakes.model import Broken, Said, ScriptedModel, Step, Unreadable, call, said
from tests.loop.scripts import SCRIPTS
from tests.loop.stage import MODEL, PROMPT_ID, FakeTool, Moments, Person, Stage

pytestmark = pytest.mark.anyio


async def test_model_tools_again_until_it_calls_none(tmp_path: Path) -> None:
    look = FakeTool("Look", read_only=True)
    model = ScriptedModel(said("Looking.", call("Look", n=1)), said("Done."))
    stage = Stage(tmp_path, model, [look])
    result = await stage.run()
    assert (result.subtype, result.result, result.is_error) == ("success", "Done.", False)
    assert (result.num_turns, result.stop_reason) == (2, "end_turn")
    assert (result.user_message_uuid, result.terminal_reason) == (PROMPT_ID, "completed")
    assert result.usage == Usage(input_tokens=20, output_tokens=10).to_api()
    assert result.duration_api_ms == 14
    assert look.ran == [{"n": 1}]
    assert stage.phases == ["requesting", "tools", "requesting"]
    assert stage.said[-1] == result
    assert stage.sink.log[-2:] == ["ResultEntry", "sync"]
    stage.require_valid()


async def test_a_pause_with_a_call_runs_it(tmp_path: Path) -> None:
    model = ScriptedModel(said(call("Look"), stop_reason="pause_turn"), said("Done."))
    stage = Stage(tmp_path, model, [FakeTool("Look", read_only=True)])
    assert (await stage.run()).result == "Done."
    assert [r.content for r in stage.tool_results] == ["done"]


async def test_a_server_that_pauses_for_ever_is_not_asked_for_ever(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(last=said("Thinking.", stop_reason="pause_turn")))
    result = await stage.run()
    assert result.is_error and result.errors is not None and "paused" in result.errors[0]
    assert len(stage.model.requests) == MAX_PAUSES + 1


async def test_a_failure_is_said_as_an_answer_and_leaves_the_conversation(tmp_path: Path) -> None:
    error = ModelError("No such key.", status=401, kind="authentication_failed")
    stage = Stage(tmp_path, ScriptedModel(Broken(error)))
    result = await stage.run()
    assert (result.subtype, result.is_error, result.result) == ("success", True, "No such key.")
    assert (result.api_error_status, result.terminal_reason) == (401, "api_error")
    assert stage.texts == ["No such key."]
    assert "No such key." not in str(stage.next_request().messages)
    stage.require_valid()


async def test_a_refused_exchange_leaves_the_conversation(tmp_path: Path) -> None:
    details: JsonObject = {"category": "cyber", "explanation": "Not this."}
    refusal = Said(("I can", call("Look")), "refusal", stop_details=details)
    stage = Stage(tmp_path, ScriptedModel(refusal, said("Hello.")))
    result = await stage.run("bad")
    assert result.is_error and result.result is not None
    assert "Not this." in result.result and "cyber" in result.result
    await stage.run("good", "22222222-0000-4000-8000-000000000000")
    assert "bad" not in str(stage.model.requests[-1].messages)
    assert complaints(stage.model.requests[-1]) == []


async def test_an_empty_answer_is_asked_about_once(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(last=Said(())))
    result = await stage.run()
    assert (result.subtype, result.result) == ("success", "")
    assert len(stage.model.requests) == 2


async def test_an_answer_that_broke_off_uses_the_calls_it_had(tmp_path: Path) -> None:
    broke = Said(("Half.", call("Look")), cut="the connection closed")
    stage = Stage(tmp_path, ScriptedModel(broke, said("Done.")), [FakeTool("Look", read_only=True)])
    assert (await stage.run()).result == "Done."
    assert "the connection closed" in stage.notices[0]


async def test_turns_are_limited_after_their_tools(tmp_path: Path) -> None:
    look = FakeTool("Look", read_only=True)
    model = ScriptedModel(last=said("Again.", call("Look")))
    stage = Stage(tmp_path, model, [look], limits=(TurnLimit(2),))
    result = await stage.run()
    assert (result.subtype, result.terminal_reason) == ("error_max_turns", "max_turns")
    assert len(look.ran) == len(stage.model.requests) == 2
    stage.require_valid()


async def test_a_budget_ends_the_run_before_the_tools(tmp_path: Path) -> None:
    look = FakeTool("Look", read_only=True)
    model = ScriptedModel(last=said("Again.", call("Look")))
    stage = Stage(tmp_path, model, [look], budget_usd=0.0001)
    result = await stage.run()
    assert (result.subtype, look.ran) == ("error_max_budget_usd", [])
    assert result.total_cost_usd == spent_usd(stage.record.conversation) > 0.0001
    stage.require_valid()


async def test_a_prompt_sent_now_joins_after_the_tools(tmp_path: Path) -> None:
    model = ScriptedModel(said(call("Look")), said("Both."))
    stage = Stage(tmp_path, model, [FakeTool("Look", read_only=True)])
    stage.steering = [Prompt("this too", "33333333-0000-4000-8000-000000000000", now=True)]
    await stage.run()
    last = stage.model.requests[1].messages[-1]["content"]
    assert [block["type"] for block in last] == ["tool_result", "text"]
    assert last[1]["text"] == "this too"


class OnceMore(NoHooks):
    """A Stop hook that asks to go on as long as it wasn't heard."""

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        heard = (fields or {}).get("stop_hook_active")
        return HookOutcome(blocked=None if event != "Stop" or heard else "You forgot the tests.")


async def test_a_stop_hook_makes_it_go_on(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(said("Done."), said("Now really.")), hooks=OnceMore())
    assert (await stage.run()).result == "Now really."
    assert "You forgot the tests." in str(stage.model.requests[1].messages[-1])


async def test_declining_with_a_stop_ends_the_run(tmp_path: Path) -> None:
    model = ScriptedModel(said(call("Change")))
    person = Person(Deny("no", interrupt=True))
    stage = Stage(tmp_path, model, [FakeTool("Change")], approver=person)
    result = await stage.run()
    assert (result.subtype, result.terminal_reason) == ("error_during_execution", "aborted_tools")
    assert [denial["tool_name"] for denial in result.permission_denials] == ["Change"]
    stage.require_valid()


def eventful(moments: Moments) -> ScriptedModel:
    """A run in which nearly everything happens."""
    return ScriptedModel(
        Said(("First.", call("Look", "a"), call("Look", "b")), "tool_use", voided=("Tried.",)),
        said("Now.", call("Change", "c"), call("Nix", "d"), Unreadable("Look", "{", "e")),
        said("Cut", call("Change", "f"), call("Change", "g"), stop_reason="max_tokens"),
        said("half", stop_reason="max_tokens"),
        Said(()),
        said("Done."),
        between=moments,
    )


def doing(moments: Moments) -> list[FakeTool]:
    async def does(args: JsonObject, call: ToolCall) -> ToolOutput:
        await moments()
        return ToolOutput("done")

    return [FakeTool("Look", does, read_only=True), FakeTool("Change", does)]


async def test_cancelled_anywhere_the_history_is_valid_and_one_result_is_said(
    tmp_path: Path,
) -> None:
    endings: set[str | None] = set()
    at = 1
    while True:
        moments = Moments(at)
        person = Person(moments=moments)
        model = eventful(moments)
        stage = Stage(tmp_path, model, doing(moments), moments, person, partial=True)
        stage.steering = [Prompt("too", "33333333-0000-4000-8000-000000000000", now=True)]
        await stage.record.prompt("go", PROMPT_ID)
        begun = moments.passed
        with moments.scope:
            await stage.run_only()
        if not moments.reached:
            break
        stage.require_valid()
        if at > begun:
            assert len(stage.results) == 1
            written = [e for e in stage.sink.entries if isinstance(e, ResultEntry)]
            assert len(written) == 1
            assert stage.said[-1] == stage.results[0]
            endings.add(stage.results[0].terminal_reason)
        at += 1
    assert endings == {"aborted_streaming", "aborted_tools", "completed"}
    assert at > 80


async def crash(args: JsonObject, call: ToolCall) -> ToolOutput:
    raise OSError("it crashed")


@given(
    script=SCRIPTS,
    backend=st.sampled_from(["asyncio", "trio"]),
    stop_at=st.one_of(st.just(0), st.integers(1, 150)),
    answer=st.sampled_from([Allow(), Allow({"wrong": 1}), Deny(), Deny("stop", interrupt=True)]),
    output=st.sampled_from(["fine", "\ud83d", [{"type": "text", "text": "part"}]]),
)
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_happens_the_next_request_is_accepted(
    tmp_path: Path, script: list[Step], backend: str, stop_at: int, answer: Any, output: Any
) -> None:
    async def play() -> None:
        moments = Moments(stop_at)

        async def gives(args: JsonObject, call: ToolCall) -> ToolOutput:
            await moments()
            return ToolOutput(output)

        tools = [
            FakeTool("Look", gives, read_only=True),
            FakeTool("Change", gives),
            FakeTool("calendar.list", gives, read_only=True),
            FakeTool("Crash", crash, read_only=True),
        ]
        model = ScriptedModel(*script, last=said("Done."), between=moments)
        person = Person(answer, moments)
        stage = Stage(
            tmp_path, model, tools, moments, person, limits=(TurnLimit(8),),
            prices={MODEL: {"window": 200_000}},
        )  # fmt: skip
        with moments.scope:
            await stage.run("first")
        moments.scope = anyio.CancelScope()
        results = len(stage.results)
        assert results <= 1
        stage.require_valid()
        await stage.run("second", "22222222-0000-4000-8000-000000000000")
        assert len(stage.results) == results + 1
        stage.require_valid()
        for request in model.requests:
            assert complaints(request) == []

    anyio.run(play, backend=backend)
