from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from agent_tui.journal.entries import AssistantEntry
from agent_tui.loop.answer import Answer
from agent_tui.protocol.content import TextBlock, ToolUseBlock
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.errors import ModelError
from agent_tui.protocol.messages import AssistantMessage, StreamEvent, SystemMessage
from agent_tui.protocol.usage import Usage
from tests.fakes.model import Broken, Said, ScriptedModel, Unreadable, call, said
from tests.loop.stage import FakeTool, Moments, Stage

pytestmark = pytest.mark.anyio


async def answer_of(stage: Stage, *, partial: bool = False) -> Answer:
    """Ask once."""
    await stage.record.prompt("go", None)
    answer = Answer(stage.record, stage.next_request(), stage.deps().preview, partial=partial)
    await answer.ask(stage.model)
    return answer


async def test_each_finished_block_is_written_and_said_with_how_it_looks(tmp_path: Path) -> None:
    model = ScriptedModel(said("One.", "Two.", call("Look", file="a")))
    stage = Stage(tmp_path, model, [FakeTool("Look")])
    answer = await answer_of(stage)
    messages: list[AssistantMessage] = stage.all(AssistantMessage)
    assert [type(m.content[0]) for m in messages] == [TextBlock, TextBlock, ToolUseBlock]
    assert {m.message_id for m in messages} == {"msg_1"}
    assert [m.display for m in messages] == [None, None, TextDisplay(title="Look")]
    [seen] = answer.calls
    assert (seen.block, seen.unparsed) == (call("Look", file="a"), None)
    assert seen.line_uuid == messages[-1].uuid
    assert (answer.text, answer.ends_with_call) == ("Two.", True)
    written = [e for e in stage.sink.entries if isinstance(e, AssistantEntry)]
    assert [e.header.uuid for e in written] == [m.uuid for m in messages]


async def test_a_call_that_cannot_be_read_keeps_its_raw_input(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(said(Unreadable("Look", '{"a": '), "After.")))
    answer = await answer_of(stage)
    [seen] = answer.calls
    assert (seen.block.input, seen.unparsed) == ({}, '{"a": ')
    assert not answer.ends_with_call


@pytest.mark.parametrize("message_id", ["same", ""])
async def test_calls_get_ids_of_their_own(tmp_path: Path, message_id: str) -> None:
    calls = said(call("A", "x"), call("B", "x"), ToolUseBlock("", "C", {}), call("D", "a b"))
    step = Said(calls.parts, "tool_use", message_id=message_id)
    stage = Stage(tmp_path, ScriptedModel(step))
    answer = await answer_of(stage)
    ids = [seen.block.id for seen in answer.calls]
    assert ids[0] == "x"
    assert len(set(ids)) == 4
    assert [c.id for c in stage.record.conversation.open_tool_uses] == ids


async def test_what_a_failed_try_told_is_taken_back(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(Said(("Second.",), voided=("First.", call("Look")))))
    answer = await answer_of(stage)
    assert stage.texts == ["First.", "Second."]
    [retracted] = stage.system_messages("retracted")
    assert (retracted["message_id"], retracted["reason"]) == ("msg_1_voided", "overloaded")
    assert [data["attempt"] for data in stage.system_messages("api_retry")] == [1]
    assert (answer.calls, answer.text) == ((), "Second.")
    assert "First." not in str(stage.next_request().messages)
    stage.require_valid()


async def test_a_failure_takes_back_what_was_told(tmp_path: Path) -> None:
    error = ModelError("gone", kind="server_error")
    stage = Stage(tmp_path, ScriptedModel(Broken(error, ("Half.",))))
    with pytest.raises(ModelError):
        await answer_of(stage)
    assert [d["reason"] for d in stage.system_messages("retracted")] == ["server_error"]
    stage.require_valid()


@pytest.mark.parametrize(("partial", "events"), [(True, 7), (False, 0)])
async def test_raw_events_are_said_when_wanted(tmp_path: Path, partial: bool, events: int) -> None:
    stage = Stage(tmp_path, ScriptedModel(said("Hello.")))
    await answer_of(stage, partial=partial)
    assert len(stage.all(StreamEvent)) == events


async def test_cancelled_anywhere_what_was_read_is_kept_and_the_history_valid(
    tmp_path: Path,
) -> None:
    kept: set[str] = set()
    at = 1
    while True:
        moments = Moments(at)
        model = ScriptedModel(said("Hello you.", call("Look")), between=moments)
        stage = Stage(tmp_path, model, moments=moments)
        await stage.record.prompt("go", None)
        answer = Answer(stage.record, stage.next_request(), stage.deps().preview, partial=True)
        with moments.scope:
            await answer.ask(model)
        if not moments.reached:
            break
        heard = "".join(
            m.event["delta"].get("text", "")
            for m in stage.all(StreamEvent)
            if m.event["type"] == "content_block_delta"
        )
        assert stage.texts == ([heard] if heard else [])
        kept.update(stage.texts)
        at += 1
    assert kept == {"Hello", "Hello you."}


def order(stage: Stage) -> list[str]:
    """What was said, in short."""
    out: list[str] = []
    for message in stage.said:
        if isinstance(message, StreamEvent):
            out.append(str(message.event["type"]))
        elif isinstance(message, AssistantMessage):
            out.append("assistant")
        elif isinstance(message, SystemMessage):
            out.append(message.subtype)
    return out


async def test_a_block_is_said_whole_before_the_event_that_ends_it(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(said("Hello.", call("Look"))))
    await answer_of(stage, partial=True)
    assert order(stage) == [
        "message_start",
        *["content_block_start", "content_block_delta", "content_block_delta"],
        *["assistant", "content_block_stop"],
        *["content_block_start", "content_block_delta", "assistant", "content_block_stop"],
        *["message_delta", "message_stop"],
    ]


async def test_the_events_of_a_failed_try_get_their_end_before_the_next_begins(
    tmp_path: Path,
) -> None:
    stage = Stage(tmp_path, ScriptedModel(Said(("Second.",), voided=("First.",))))
    await answer_of(stage, partial=True)
    kinds = order(stage)
    between = kinds[kinds.index("content_block_stop") + 1 : kinds.index("api_retry") + 2]
    assert between == ["retracted", "message_stop", "api_retry", "message_start"]


async def test_the_events_of_an_answer_that_broke_off_get_their_end(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(Said(("Half.",), cut="gone")))
    await answer_of(stage, partial=True)
    assert order(stage)[-3:] == ["assistant", "content_block_stop", "message_stop"]


async def test_interrupted_in_a_block_its_events_get_their_end_when_told_to(
    tmp_path: Path,
) -> None:
    at, endings = 1, set[tuple[str, ...]]()
    while True:
        moments = Moments(at)
        model = ScriptedModel(said("Hello you."), between=moments)
        stage = Stage(tmp_path, model, moments=moments)
        await stage.record.prompt("go", None)
        answer = Answer(stage.record, stage.next_request(), stage.deps().preview, partial=True)
        with moments.scope:
            await answer.ask(model)
        if not moments.reached:
            break
        before = len(order(stage))
        with anyio.CancelScope(shield=True):
            await answer.end_stream()
            await answer.end_stream()
        kinds = order(stage)
        assert kinds.count("content_block_start") == kinds.count("content_block_stop") or (
            kinds[-1] == "content_block_start"
        )
        endings.add(tuple(kinds[before:]))
        at += 1
    assert endings == {(), ("content_block_stop", "message_delta"), ("message_delta",)}


async def test_what_an_interrupted_answer_has_used_is_estimated(tmp_path: Path) -> None:
    used: list[int] = []
    at = 1
    while True:
        moments = Moments(at)
        step = Said(("x" * 400,), usage=Usage(input_tokens=30, output_tokens=1))
        model = ScriptedModel(step, between=moments)
        stage = Stage(tmp_path, model, moments=moments)
        await stage.record.prompt("go", None)
        answer = Answer(stage.record, stage.next_request(), stage.deps().preview, partial=False)
        with moments.scope:
            await answer.ask(model)
        if not moments.reached:
            break
        so_far = answer.so_far()
        if so_far is not None:
            assert (so_far.usage.input_tokens, so_far.blocks) == (30, ())
            used.append(so_far.usage.output_tokens)
        at += 1
    assert used == sorted(used)
    assert (used[0], used[-1]) == (1, 100)
