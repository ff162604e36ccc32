from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.journal.entries import ResultEntry
from agent_tui.journal.fold import fold
from agent_tui.loop.asking import NobodyThere
from agent_tui.loop.hooks import NoHooks
from agent_tui.loop.limits import TurnLimit, spent_usd
from agent_tui.loop.structured import STRUCTURED_OUTPUT, StructuredOutput
from agent_tui.loop.turn import Run
from agent_tui.loop.unfinished import MAX_PAUSES
from agent_tui.model.client import ModelResponse
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import AskedQuestion
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.messages import AssistantMessage, StreamEvent
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.requests import Allow, Deny
from agent_tui.protocol.usage import Usage
from agent_tui.tools.base import ToolCall, ToolOutput
from tests.context.wire import complaints
from tests.fakes.model import Broken, Said, ScriptedModel, Step, Unreadable, call, said
from tests.loop.scripts import SCRIPTS, WHIMS, Whims
from tests.loop.stage import MODEL, PROMPT_ID, FakeTool, Moments, Person, Stage

pytestmark = pytest.mark.anyio

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
"""A picture of one pixel."""


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


async def test_at_the_turn_limit_what_was_sent_now_waits_for_its_own_turn(tmp_path: Path) -> None:
    model = ScriptedModel(last=said(call("Look")))
    tools = [FakeTool("Look", read_only=True)]
    stage = Stage(tmp_path, model, tools, limits=(TurnLimit(1),))
    stage.steering = [Prompt("this too", "33333333-0000-4000-8000-000000000000", now=True)]
    result = await stage.run()
    assert result.subtype == "error_max_turns"
    assert [prompt.text for prompt in stage.steering] == ["this too"]
    assert result.user_message_uuids == (PROMPT_ID,)


async def test_prompts_that_join_are_named_by_what_comes_after_and_keep_their_pictures(
    tmp_path: Path,
) -> None:
    too = "33333333-0000-4000-8000-000000000000"
    picture: JsonObject = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": PIXEL},
    }
    stage = Stage(
        tmp_path, ScriptedModel(said(call("Look")), said("Both.")), [FakeTool("Look", read_only=True)]
    )  # fmt: skip
    stage.record.serve(PROMPT_ID)
    stage.steering = [
        Prompt("see", too, now=True, content=({"type": "text", "text": "see"}, picture))
    ]
    result = await stage.run()
    assert result.user_message_uuids == (PROMPT_ID, too)
    first, last = stage.all(AssistantMessage)[0], stage.all(AssistantMessage)[-1]
    assert first.user_message_uuids == (PROMPT_ID,)
    assert last.user_message_uuids == (PROMPT_ID, too)
    assert last.user_message_uuid == result.user_message_uuid == PROMPT_ID
    sent = stage.model.requests[1].messages[-1]["content"]
    assert [block["type"] for block in sent] == ["tool_result", "text", "image"]
    stage.require_valid()


async def test_each_request_is_announced_to_those_who_read_the_raw_events(tmp_path: Path) -> None:
    for partial, count in ((True, 2), (False, 0)):
        model = ScriptedModel(said(call("Look")), said("Done."))
        stage = Stage(tmp_path, model, [FakeTool("Look", read_only=True)], partial=partial)
        await stage.run()
        told = [data["status"] for data in stage.system_messages("status")]
        assert told == ["requesting"] * count


class EndsAfterTools(NoHooks):
    """A hook that wants no more after a tool has run."""

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        return HookOutcome(stop="enough") if event == "PostToolUse" else HookOutcome()


async def test_a_hook_may_end_the_run_after_a_tool(tmp_path: Path) -> None:
    look = FakeTool("Look", read_only=True)
    stage = Stage(tmp_path, ScriptedModel(said(call("Look"))), [look], hooks=EndsAfterTools())
    result = await stage.run()
    assert (result.subtype, result.result, result.is_error) == ("success", "", False)
    assert (result.terminal_reason, result.stop_reason) == ("hook_stopped", "tool_use")
    assert len(look.ran) == len(stage.model.requests) == 1
    stage.require_valid()


class Listening(NoHooks):
    """Remembers what was fired."""

    def __init__(self) -> None:
        self.fired: list[tuple[HookEvent, JsonObject | None, str]] = []

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        self.fired.append((event, fields, match))
        return HookOutcome()


async def test_hooks_hear_of_a_failure_and_not_of_an_end(tmp_path: Path) -> None:
    error = ModelError("No such key.", status=401, kind="authentication_failed")
    hooks = Listening()
    await Stage(tmp_path, ScriptedModel(Broken(error)), hooks=hooks).run()
    [(event, fields, match)] = hooks.fired
    assert (event, match) == ("StopFailure", "authentication_failed")
    assert fields == {
        "error": "authentication_failed",
        "error_details": "No such key.",
        "last_assistant_message": "",
    }


class Deciding:
    """Implements ``Asker``: chooses the answer with this number."""

    there = True

    def __init__(self, choice: int) -> None:
        self._choice = choice
        self.asked = 0

    async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
        self.asked += 1
        return question.choices[self._choice].label


@pytest.mark.parametrize(
    ("choice", "subtype", "ran"), [(1, "success", 1), (2, "error_max_budget_usd", 0)]
)
async def test_where_a_person_is_a_spent_budget_pauses_and_asks(
    tmp_path: Path, choice: int, subtype: str, ran: int
) -> None:
    look, person = FakeTool("Look", read_only=True), Deciding(choice)
    model = ScriptedModel(said("Looking.", call("Look")), last=said("Done."))
    stage = Stage(tmp_path, model, [look], budget_usd=0.0001, asker=person)
    result = await stage.run()
    assert (result.subtype, len(look.ran)) == (subtype, ran)
    assert person.asked == 1
    assert stage.phases[1] == "asking"
    stage.require_valid()
    again = await stage.run("more", "22222222-0000-4000-8000-000000000000")
    assert again.subtype == ("success" if ran else subtype)


async def test_what_others_spent_meanwhile_counts_before_the_next_request(tmp_path: Path) -> None:
    async def spends(args: JsonObject, call: ToolCall) -> ToolOutput:
        usage = Usage(input_tokens=1_000_000)
        response = ModelResponse("sub", MODEL, (), "end_turn", usage)
        stage.record.response(response, stage.requests.price(MODEL, usage), MODEL, "agent")
        return ToolOutput("done")

    tools = [FakeTool("Agent", spends, read_only=True)]
    stage = Stage(tmp_path, ScriptedModel(said(call("Agent"))), tools, budget_usd=1.0)
    result = await stage.run()
    assert result.subtype == "error_max_budget_usd"
    assert len(stage.model.requests) == 1
    assert [bool(r.is_error) for r in stage.tool_results] == [False]
    assert result.usage is not None and result.usage["input_tokens"] == 10
    assert result.model_usage is not None
    assert result.model_usage[MODEL]["inputTokens"] == 1_000_010


async def test_a_prompt_that_is_not_the_persons_is_named_by_the_result(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(said("Noticed.")))
    await stage.record.prompt("it ended", PROMPT_ID)
    origin: JsonObject = {"kind": "task-notification"}
    result = await Run(stage.deps(), PROMPT_ID, origin=origin).run()
    assert result.origin == origin


async def test_what_an_interrupted_answer_cost_is_counted(tmp_path: Path) -> None:
    moments = Moments(9)
    model = ScriptedModel(said("one two three four"), between=moments)
    stage = Stage(tmp_path, model, moments=moments)
    with moments.scope:
        await stage.run()
    [result] = stage.results
    assert result.terminal_reason == "aborted_streaming"
    assert result.usage is not None and result.usage["input_tokens"] == 0
    assert result.total_cost_usd and result.model_usage and MODEL in result.model_usage


async def test_declining_with_a_stop_ends_the_run(tmp_path: Path) -> None:
    model = ScriptedModel(said(call("Change")))
    person = Person(Deny("no", interrupt=True))
    stage = Stage(tmp_path, model, [FakeTool("Change")], approver=person)
    result = await stage.run()
    assert (result.subtype, result.terminal_reason) == ("error_during_execution", "aborted_tools")
    assert [denial["tool_name"] for denial in result.permission_denials] == ["Change"]
    stage.require_valid()


OVERLOADED = Broken(ModelError("busy", status=529, kind="overloaded"))


def eventful(moments: Moments) -> ScriptedModel:
    """A run in which nearly everything happens."""
    return ScriptedModel(
        OVERLOADED,
        Said(("First.", call("Look", "a"), call("Look", "b")), "tool_use", voided=("Tried.",)),
        said("Now.", call("Change", "c"), call("Nix", "d"), Unreadable("Look", "{", "e")),
        said("Cut", call("Change", "f"), call("Change", "g"), stop_reason="max_tokens"),
        said("half", stop_reason="max_tokens"),
        Said(()),
        said(call("Nix", "h")),
        said(call("Nix", "i"), call("Nix", "j")),
        said("Done."),
        said(call(STRUCTURED_OUTPUT, "k", n="one")),
        said(call(STRUCTURED_OUTPUT, "l", n=1)),
        said("Really done."),
        said(call(STRUCTURED_OUTPUT, "m", n=2)),
        between=moments,
    )


class Stubborn(NoHooks):
    """Passes a moment whenever it is fired; blocks the first stop."""

    def __init__(self, moments: Moments) -> None:
        self._moments = moments

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        await self._moments()
        active = (fields or {}).get("stop_hook_active")
        return HookOutcome(blocked="Once more." if event == "Stop" and not active else None)


class Patient:
    """Implements ``Asker``: lets everything go on."""

    there = True

    def __init__(self, moments: Moments) -> None:
        self._moments = moments

    async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
        await self._moments()
        return question.choices[0].label


NUMBER: JsonObject = {"type": "object", "properties": {"n": {"type": "integer"}}}


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
        stage = Stage(
            tmp_path, model, doing(moments), moments, person, Stubborn(moments), partial=True,
            asker=Patient(moments), structured=StructuredOutput(NUMBER),
            fallbacks=("claude-sonnet-4-6",), budget_usd=0.0002,
        )  # fmt: skip
        stage.steering = [Prompt("too", "33333333-0000-4000-8000-000000000000", now=True)]
        await stage.record.prompt("go", PROMPT_ID)
        begun = moments.passed
        with moments.scope:
            await stage.run_only()
        if not moments.reached:
            break
        stage.require_valid()
        opened = [m.event["type"] for m in stage.all(StreamEvent)]
        told = opened.count("content_block_start"), opened.count("content_block_stop")
        assert told[0] - told[1] in (0, 1)
        if at > begun:
            assert len(stage.results) == 1
            written = [e for e in stage.sink.entries if isinstance(e, ResultEntry)]
            assert len(written) == 1
            assert stage.said[-1] == stage.results[0]
            endings.add(stage.results[0].terminal_reason)
        at += 1
    assert endings == {"aborted_streaming", "aborted_tools", "completed"}
    assert at > 200
    assert [r.structured_output for r in stage.results] == [{"n": 2}]


async def crash(args: JsonObject, call: ToolCall) -> ToolOutput:
    raise OSError("it crashed")


@given(
    script=SCRIPTS,
    backend=st.sampled_from(["asyncio", "trio"]),
    stop_at=st.one_of(st.just(0), st.integers(1, 150)),
    answer=st.sampled_from([Allow(), Allow({"wrong": 1}), Deny(), Deny("stop", interrupt=True)]),
    output=st.sampled_from(["fine", "\ud83d", [{"type": "text", "text": "part"}]]),
    hooks=WHIMS,
    wanted=st.sampled_from([None, {"type": "object"}, {"type": "integer"}]),
    choice=st.none() | st.integers(0, 2),
    killed=st.integers(0, 400),
    defers=st.booleans(),
)
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_happens_the_next_request_is_accepted(
    tmp_path: Path,
    script: list[Step],
    backend: str,
    stop_at: int,
    answer: Any,
    output: Any,
    hooks: Whims,
    wanted: JsonObject | None,
    choice: int | None,
    killed: int,
    defers: bool,
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
            tmp_path, model, tools, moments, person, hooks, limits=(TurnLimit(8),),
            prices={MODEL: {"window": 200_000}}, fallbacks=("claude-sonnet-4-6",),
            structured=None if wanted is None else StructuredOutput(wanted),
            asker=NobodyThere() if choice is None else Deciding(choice),
            budget_usd=None if choice is None else 0.001, defers=defers,
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
        left = fold(
            stage.sink.entries[:killed]
        )  # what a process that was killed then leaves behind
        assert complaints(stage.requests.main(left)) == []

    anyio.run(play, backend=backend)
