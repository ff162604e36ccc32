from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from agent_tui.journal.fold import fold
from agent_tui.loop.approvals import DenyAll
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.ops import Prompt
from agent_tui.tools.base import ToolCall, ToolOutput, ToolSet
from tests.context.wire import complaints
from tests.fakes.model import ScriptedModel, call, said
from tests.loop.stage import FakeTool, Moments, Person, Stage

pytestmark = pytest.mark.anyio

LATER = "22222222-0000-4000-8000-000000000000"
DEFER = HookOutcome("defer", "later", additional_context=("Not now.",))
ALLOW = HookOutcome("allow", "now")


class Gate:
    """PreToolUse hooks that decide in turn, the last one for ever; remembers the calls it was asked of."""

    def __init__(self, *outcomes: HookOutcome) -> None:
        self._outcomes = outcomes
        self.asked: list[JsonObject] = []

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        if event != "PreToolUse":
            return HookOutcome()
        self.asked.append(fields or {})
        return self._outcomes[min(len(self.asked), len(self._outcomes)) - 1]


def put_off(folder: Path, *outcomes: HookOutcome) -> tuple[Stage, FakeTool]:
    change = FakeTool("Change")
    model = ScriptedModel(said("I ask.", call("Change", "a", n=1)), said("Done."))
    hooks = Gate(*outcomes)
    return Stage(folder, model, [change], hooks=hooks, defers=True, approver=DenyAll()), change


async def test_the_run_ends_with_the_call_open(tmp_path: Path) -> None:
    stage, change = put_off(tmp_path, DEFER)
    result = await stage.run()
    assert (result.subtype, result.is_error, result.result) == ("success", False, "")
    assert (result.stop_reason, result.terminal_reason) == ("tool_deferred", "tool_deferred")
    assert result.deferred_tool_use == {"id": "a", "name": "Change", "input": {"n": 1}}
    assert (change.ran, stage.tool_results, result.permission_denials) == ([], [], ())
    assert "put off a call of Change" in stage.notices[-1]
    [waiting] = stage.record.conversation.open_tool_uses
    assert stage.record.conversation.put_off == waiting
    assert fold(stage.sink.entries).put_off == waiting


async def test_the_next_run_has_it_decided_before_the_model_is_asked(tmp_path: Path) -> None:
    changed = HookOutcome("allow", updated_input={"n": 2})
    stage, change = put_off(tmp_path, DEFER, changed)
    await stage.run()
    result = await stage.run("go on", LATER)
    gate = stage.hooks
    assert isinstance(gate, Gate)
    assert [fields["tool_use_id"] for fields in gate.asked] == ["a", "a"]
    assert [fields["tool_input"] for fields in gate.asked] == [{"n": 1}, {"n": 1}]
    assert change.ran == [{"n": 2}]
    assert (result.result, result.num_turns, result.deferred_tool_use) == ("Done.", 1, None)
    [_, answer, message] = stage.model.requests[-1].messages
    assert answer["content"][-1]["id"] == "a"
    assert [block["type"] for block in message["content"]] == ["tool_result", "text"]
    assert "Not now." not in str(message)
    stage.require_valid()


async def test_it_may_be_put_off_again_and_again_and_no_prompt_is_lost(tmp_path: Path) -> None:
    stage, change = put_off(tmp_path, DEFER, DEFER, DEFER, ALLOW)
    results = [await stage.run(f"prompt {n}", f"{LATER[:-1]}{n}") for n in range(4)]
    assert [r.stop_reason for r in results] == [*["tool_deferred"] * 3, "end_turn"]
    assert [r.num_turns for r in results] == [1, 0, 0, 1]
    assert change.ran == [{"n": 1}]
    assert [f"prompt {n}" in str(stage.model.requests[-1].messages) for n in range(4)] == [True] * 4
    stage.require_valid()


async def test_what_hooks_no_longer_put_off_is_judged_by_the_rules(tmp_path: Path) -> None:
    stage, change = put_off(tmp_path, DEFER, HookOutcome())
    await stage.run()
    result = await stage.run("go on", LATER)
    assert (change.ran, result.result) == ([], "Done.")
    assert [denial["tool_use_id"] for denial in result.permission_denials] == ["a"]
    stage.require_valid()


async def test_one_of_several_calls_is_asked_instead(tmp_path: Path) -> None:
    person = Person()
    both = said(call("Change", "a"), call("Change", "b"))
    stage = Stage(
        tmp_path, ScriptedModel(both, said("Done.")), [FakeTool("Change")], hooks=Gate(DEFER),
        defers=True, approver=person,
    )  # fmt: skip
    result = await stage.run()
    assert [request.tool_use_id for request in person.asked] == ["a", "b"]
    assert (result.result, result.stop_reason) == ("Done.", "end_turn")
    assert ["alone in its turn" in notice for notice in stage.notices] == [True, True]


async def test_a_call_beside_one_that_was_cut_is_not_alone(tmp_path: Path) -> None:
    cut = said(call("Change", "a"), call("Change", "b"), stop_reason="max_tokens")
    stage = Stage(
        tmp_path, ScriptedModel(cut, said("Done.")), [FakeTool("Change")], hooks=Gate(DEFER),
        defers=True, approver=DenyAll(),
    )  # fmt: skip
    assert (await stage.run()).result == "Done."
    assert [result.is_error for result in stage.tool_results] == [True, True]
    stage.require_valid()


async def test_with_a_person_there_it_is_asked(tmp_path: Path) -> None:
    person = Person()
    stage = Stage(
        tmp_path, ScriptedModel(said(call("Change", "a")), said("Done.")), [FakeTool("Change")],
        hooks=Gate(DEFER), approver=person,
    )  # fmt: skip
    assert (await stage.run()).result == "Done."
    assert [request.reason for request in person.asked] == ["later"]


async def test_a_tool_that_is_no_more_leaves_the_call_as_it_is(tmp_path: Path) -> None:
    stage, change = put_off(tmp_path, DEFER, ALLOW)
    await stage.run()
    stage.tool_set.renew(())
    gone = await stage.run("go on", LATER)
    assert (gone.subtype, gone.is_error) == ("error_during_execution", True)
    assert gone.stop_reason == gone.terminal_reason == "tool_deferred_unavailable"
    assert gone.deferred_tool_use == {"id": "a", "name": "Change", "input": {"n": 1}}
    assert gone.errors is not None and "'Change'" in gone.errors[0]
    stage.tool_set.renew(ToolSet.of((change,)).tools)
    assert (await stage.run("again", LATER[:-1] + "1")).result == "Done."
    assert change.ran == [{"n": 1}]


async def test_an_interrupt_answers_a_call_that_is_being_decided(tmp_path: Path) -> None:
    scope = anyio.CancelScope()

    async def stopped(args: JsonObject, call: ToolCall) -> ToolOutput:
        scope.cancel()
        await anyio.sleep_forever()
        return ToolOutput("never")

    change = FakeTool("Change", stopped)
    model = ScriptedModel(said(call("Change", "a")), said("Done."))
    stage = Stage(tmp_path, model, [change], hooks=Gate(DEFER, ALLOW), defers=True)
    await stage.run()
    with scope:
        await stage.run("go on", LATER)
    assert stage.results[-1].terminal_reason == "aborted_tools"
    assert [result.is_error for result in stage.tool_results] == [True]
    stage.require_valid()


async def test_cancelled_anywhere_it_is_open_or_answered_and_the_history_is_valid(
    tmp_path: Path,
) -> None:
    at, seen = 1, set[str | None]()
    while True:
        moments = Moments(at)

        async def does(args: JsonObject, call: ToolCall, moments: Moments = moments) -> ToolOutput:
            await moments()
            return ToolOutput("done")

        model = ScriptedModel(
            said("I ask.", call("Change", "a")), said("Done."), between=moments
        )  # fmt: skip
        stage = Stage(
            tmp_path, model, [FakeTool("Change", does)], moments, Person(moments=moments),
            Waiting(moments), defers=True, steering=[Prompt("too", LATER[:-1] + "5", now=True)],
        )  # fmt: skip
        with moments.scope:
            await stage.run()
            await stage.run("go on", LATER)
        assert complaints(stage.next_request()) == []
        conversation = stage.record.conversation
        waiting = conversation.open_tool_uses
        assert waiting in ((), (conversation.put_off,))
        if not moments.reached:
            break
        seen.update(result.terminal_reason for result in stage.results)
        at += 1
    assert seen == {"tool_deferred", "aborted_streaming", "aborted_tools", "completed"}
    assert at > 30


class Waiting(Gate):
    """Passes a moment whenever it is fired, puts the first call off, then has it asked."""

    def __init__(self, moments: Moments) -> None:
        super().__init__(DEFER, HookOutcome("ask"))
        self._moments = moments

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        await self._moments()
        return await super().fire(event, fields, match=match)
