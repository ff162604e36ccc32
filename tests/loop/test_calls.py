"""Calls that keep failing: noticed at the third, asked about, ended at the fifth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tui.loop.calls import OTHERWISE, STOP, TRY
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import AskedQuestion
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.requests import Deny
from agent_tui.tools.base import ToolCall, ToolOutput
from tests.fakes.model import Part, ScriptedModel, Step, Unreadable, call, said
from tests.loop.stage import FakeTool, Person, Stage

pytestmark = pytest.mark.anyio


async def fails(args: JsonObject, call: ToolCall) -> ToolOutput:
    return ToolOutput("no such file", is_error=True)


class Somebody:
    """Implements ``Asker``: gives the answers in turn."""

    there = True

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.asked: list[AskedQuestion] = []

    async def ask(self, question: AskedQuestion, call_id: str = "") -> str | None:
        self.asked.append(question)
        return self._answers.pop(0)


def again(times: int, name: str = "Broken") -> list[Step]:
    return [said(call(name, f"c{n}", path="x")) for n in range(times)]


def stage_of(folder: Path, *script: Step, **more: Any) -> tuple[Stage, FakeTool]:
    broken = FakeTool("Broken", fails, read_only=True)
    tools = [broken, FakeTool("Look", read_only=True), FakeTool("Change")]
    return Stage(folder, ScriptedModel(*script, last=said("Done.")), tools, **more), broken


def errors(stage: Stage) -> list[str]:
    return [str(r.content) for r in stage.tool_results if r.is_error]


async def test_where_nobody_is_the_third_is_not_run_and_the_fifth_ends_the_run(
    tmp_path: Path,
) -> None:
    stage, broken = stage_of(tmp_path, *again(9))
    result = await stage.run()
    assert len(broken.ran) == 2
    assert len(stage.model.requests) == 5
    assert errors(stage)[:2] == ["no such file", "no such file"]
    assert "tried 2 times" in errors(stage)[2] and "another approach" in errors(stage)[2]
    assert "tried 3 times" in errors(stage)[3]
    assert (result.subtype, result.is_error) == ("error_during_execution", True)
    assert result.terminal_reason == "malformed_tool_use_exhausted"
    assert result.errors and result.result is None
    stage.require_valid()


async def test_with_another_input_it_is_another_call(tmp_path: Path) -> None:
    script = [said(call("Broken", f"c{n}", path=f"{n}")) for n in range(6)]
    stage, broken = stage_of(tmp_path, *script)
    assert (await stage.run()).result == "Done."
    assert len(broken.ran) == 6


async def test_after_a_change_the_same_call_is_worth_trying(tmp_path: Path) -> None:
    tries = again(6)
    script: list[Step] = []
    for number, step in enumerate(tries):
        script += [step, said(call("Change", f"e{number}"))] if number % 2 else [step]
    stage, broken = stage_of(tmp_path, *script)
    assert (await stage.run()).result == "Done."
    assert len(broken.ran) == 6


async def test_looking_around_in_between_changes_nothing(tmp_path: Path) -> None:
    script: list[Step] = []
    for number, step in enumerate(again(3)):
        script += [step, said(call("Look", f"l{number}"))]
    stage, broken = stage_of(tmp_path, *script)
    await stage.run()
    assert len(broken.ran) == 2


@pytest.mark.parametrize("readable", [True, False])
async def test_calls_that_cannot_be_read_and_unknown_tools_count_too(
    tmp_path: Path, readable: bool
) -> None:
    ids = [f"u{n}" for n in range(6)]
    parts: list[Part] = [
        call("Nix", id_) if readable else Unreadable("Look", "{", id_) for id_ in ids
    ]
    stage, _ = stage_of(tmp_path, *map(said, parts))
    assert (await stage.run()).terminal_reason == "malformed_tool_use_exhausted"
    stage.require_valid()


async def test_the_person_is_asked_and_may_let_it_go_on(tmp_path: Path) -> None:
    somebody = Somebody(TRY.label)
    stage, broken = stage_of(tmp_path, *again(4), asker=somebody)
    assert (await stage.run()).result == "Done."
    assert len(broken.ran) == 4
    [question] = somebody.asked
    assert question.question.startswith("Broken has failed 2 times")
    assert question.question.endswith(": x")
    assert "asking" in stage.phases


async def test_the_person_may_want_another_approach_and_say_which(tmp_path: Path) -> None:
    somebody = Somebody(OTHERWISE.label, "look in src/")
    stage, broken = stage_of(tmp_path, *again(4), asker=somebody)
    assert (await stage.run()).result == "Done."
    assert len(broken.ran) == 2
    assert "The person says: look in src/" in errors(stage)[3]
    assert "The person says" not in errors(stage)[2]


@pytest.mark.parametrize("answer", [STOP.label, ""])
async def test_the_person_may_stop_the_run(tmp_path: Path, answer: str) -> None:
    script = [*again(2), said(*[call("Broken", f"d{n}", path="x") for n in range(2)])]
    stage, broken = stage_of(tmp_path, *script, asker=Somebody(answer))
    result = await stage.run()
    assert (result.subtype, result.terminal_reason) == ("error_during_execution", "aborted_tools")
    assert len(broken.ran) == 2
    assert len(errors(stage)) == 4
    stage.require_valid()


async def test_the_others_of_the_same_response_are_run_in_their_order(tmp_path: Path) -> None:
    mixed = said(call("Look", "before"), call("Broken", "third", path="x"), call("Look", "after"))
    stage, broken = stage_of(tmp_path, *again(2), mixed)
    await stage.run()
    assert [r.tool_use_id for r in stage.tool_results] == ["c0", "c1", "before", "third", "after"]
    assert len(broken.ran) == 2
    stage.require_valid()


async def test_a_stop_before_it_leaves_the_rest_undone(tmp_path: Path) -> None:
    mixed = said(call("Change", "no"), call("Broken", "third", path="x"))
    person = Person(Deny("no", interrupt=True))
    stage, _ = stage_of(tmp_path, *again(2), mixed, approver=person)
    result = await stage.run()
    assert result.terminal_reason == "aborted_tools"
    assert [denial["tool_use_id"] for denial in result.permission_denials] == ["no"]
    assert len(errors(stage)) == 4
    stage.require_valid()


def ended(result: ResultMessage) -> tuple[str, str | None, str | None]:
    return result.subtype, result.terminal_reason, result.result


async def test_a_budget_that_is_spent_leaves_the_calls_unsaid_to_a_program(tmp_path: Path) -> None:
    for asker, heard in ((None, 0), (Somebody("Stop here"), 1)):
        more = {} if asker is None else {"asker": asker}
        script = said(call("Look", "a"))
        stage, _ = stage_of(tmp_path, script, budget_usd=0.0001, **more)
        result = await stage.run()
        assert ended(result) == ("error_max_budget_usd", "budget_exhausted", None)
        assert len(stage.tool_results) == heard
        assert "Not run" in str(stage.next_request().messages)
        stage.require_valid()
