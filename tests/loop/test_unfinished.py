from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.loop.unfinished import BROKE_OFF, EMPTY, GO_ON, MAX_CONTINUATIONS, MAX_PAUSES
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.messages import UserMessage
from agent_tui.protocol.usage import Usage
from tests.fakes.model import Broken, Said, ScriptedModel, Step, call, said
from tests.loop.stage import MODEL, FakeTool, Stage

pytestmark = pytest.mark.anyio

SMALL = {MODEL: {"window": 200_000}}
SUMMARY = said("<summary>so far</summary>")


def full(*parts: str) -> Said:
    """The window is full, by the server's count too."""
    return Said(parts, "model_context_window_exceeded", Usage(input_tokens=199_000))


def cramped(*parts: str) -> Said:
    """The server says its window is full, although there is room by our count."""
    return Said(parts, "model_context_window_exceeded")


async def play(folder: Path, *script: Step, before: bool = False) -> Stage:
    answers = [said("First.")] if before else []
    tools = [FakeTool("Look", read_only=True)]
    stage = Stage(folder, ScriptedModel(*answers, *script), tools, prices=SMALL)
    if before:
        await stage.run("one", "22222222-0000-4000-8000-000000000000")
    await stage.run()
    stage.require_valid()
    return stage


def nudges(stage: Stage) -> list[str]:
    return [str(m.content[0].text) for m in stage.all(UserMessage) if m.synthetic]


async def test_text_that_was_cut_is_asked_to_go_on(tmp_path: Path) -> None:
    cut = said("cut off te", stop_reason="max_tokens")
    stage = await play(tmp_path, cut, cut, said("xt"))
    assert nudges(stage) == [GO_ON, GO_ON]
    assert (stage.results[-1].result, stage.results[-1].num_turns) == ("xt", 3)


async def test_cut_again_and_again_it_is_no_success(tmp_path: Path) -> None:
    stage = await play(tmp_path, *[said("te", stop_reason="max_tokens")] * 4)
    assert len(nudges(stage)) == MAX_CONTINUATIONS
    [result] = stage.results
    assert (result.subtype, result.terminal_reason) == ("error_during_execution", "model_error")
    assert result.errors is not None and result.errors[0] in stage.notices


async def test_a_full_window_is_compacted_once_and_then_it_goes_on(tmp_path: Path) -> None:
    stage = await play(tmp_path, full("cut he"), SUMMARY, said("re and on"), before=True)
    assert len(stage.system_messages("compact_boundary")) == 1
    assert stage.results[-1].result == "re and on"


async def test_full_after_compacting_it_ends_and_says_what_to_do(tmp_path: Path) -> None:
    stage = await play(tmp_path, full("cut"), SUMMARY, full("again"), full("and"), before=True)
    result = stage.results[-1]
    assert result.errors is not None and "/compact" in result.errors[0]


async def test_a_window_that_is_full_without_our_seeing_it_is_first_taken_for_a_cut_answer(
    tmp_path: Path,
) -> None:
    stage = await play(tmp_path, cramped("partial"), said("rest"))
    assert nudges(stage) == [GO_ON]
    assert not stage.system_messages("compact_boundary")
    assert stage.results[-1].result == "rest"


async def test_and_compacted_when_that_did_not_help(tmp_path: Path) -> None:
    stage = await play(
        tmp_path, cramped("partial"), cramped("again"), SUMMARY, said("rest"), before=True
    )
    assert len(stage.system_messages("compact_boundary")) == 1
    assert stage.results[-1].result == "rest"


async def test_a_request_that_did_not_fit_is_compacted_and_made_once_more(tmp_path: Path) -> None:
    too_long = Broken(ModelError("prompt is too long", status=400, prompt_too_long=True))
    stage = await play(tmp_path, too_long, SUMMARY, too_long, before=True)
    assert len(stage.model.requests) == 4
    assert stage.results[-1].terminal_reason == "prompt_too_long"


async def test_nothing_said_is_asked_about_once(tmp_path: Path) -> None:
    stage = await play(tmp_path, Said(()), said("Here."))
    assert nudges(stage) == [EMPTY]
    stage = await play(tmp_path, said(call("Look")), Said(()), Said(()))
    assert (stage.results[-1].subtype, stage.results[-1].result) == ("success", "")


async def test_text_that_broke_off_is_asked_to_go_on(tmp_path: Path) -> None:
    stage = await play(tmp_path, Said(("Half a sen",), cut="the connection closed"), said("tence."))
    assert nudges(stage) == [BROKE_OFF]
    assert stage.results[-1].result == "tence."


async def test_a_paused_answer_goes_on_as_often_as_is_believable(tmp_path: Path) -> None:
    paused = said("Searching.", stop_reason="pause_turn")
    stage = await play(tmp_path, *[paused] * MAX_PAUSES, said("Found."))
    assert stage.results[-1].result == "Found."
    assert nudges(stage) == []
