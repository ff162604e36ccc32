from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.journal.entries import (
    INTERRUPT_MARK,
    INTERRUPT_MARK_TOOLS,
    InterruptedEntry,
    LastPromptEntry,
    NoticeEntry,
    ResultEntry,
    Stamp,
    UserEntry,
)
from agent_tui.model.client import BlockDone, Retrying
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import (
    ResultMessage,
    UserMessage,
)
from agent_tui.protocol.ports import Seen
from agent_tui.tools.base import ToolOutput
from tests.fakes.model import ScriptedModel, call, said
from tests.loop.stage import Entries, Moments, Stage

pytestmark = pytest.mark.anyio


async def test_a_prompt_keeps_its_own_uuid_and_is_remembered_shortened(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    await stage.record.prompt("x" * 5000, "11111111-0000-4000-8000-000000000000")
    entry, last = stage.sink.entries
    assert isinstance(entry, UserEntry) and isinstance(last, LastPromptEntry)
    [message] = stage.said
    assert isinstance(message, UserMessage)
    assert message.uuid == entry.header.uuid == "11111111-0000-4000-8000-000000000000"
    assert len(last.text) == 2000


async def test_a_notice_is_said_with_its_data_and_can_be_shown_again(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    await stage.record.notice("careful", "warning", path="/x")
    [entry] = stage.sink.entries
    assert isinstance(entry, NoticeEntry) and entry.data == {"path": "/x"}
    [data] = stage.system_messages("informational")
    assert (data["content"], data["level"], data["path"]) == ("careful", "warning", "/x")
    assert data["uuid"] == entry.header.uuid
    assert data["session_id"] == "session"


async def test_a_tool_result_is_written_at_once_and_said_by_the_caller(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    await stage.record.prompt("go", None)
    uuid = await stage.record.block(
        BlockDone(0, call("Look")), message_id="m", model="x", asked_model="x", usage=None
    )
    said_before = len(stage.said)
    output = ToolOutput("ok", structured={"n": 1})
    message = stage.record.tool_result("id_Look", output, uuid, 12)
    assert not stage.record.conversation.open_tool_uses
    assert len(stage.said) == said_before
    assert (message.tool_use_result, message.duration_ms) == ({"n": 1}, 12)
    stage.require_valid()


@pytest.mark.parametrize(
    ("during", "mark"), [("streaming", INTERRUPT_MARK), ("tools", INTERRUPT_MARK_TOOLS)]
)
async def test_an_interrupt_is_marked_for_the_model(tmp_path: Path, during: str, mark: str) -> None:
    stage = Stage(tmp_path)
    await stage.record.prompt("go", None)
    await stage.record.interrupted("tools" if during == "tools" else "streaming")
    assert isinstance(stage.sink.entries[-2], InterruptedEntry)
    assert mark in str(stage.next_request().messages)
    [said_last] = stage.all(UserMessage)[1:]
    assert said_last.synthetic


async def test_a_retry_is_said_and_not_written(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    await stage.record.retrying(Retrying(2, 10, 800, 529, "overloaded", "busy"))
    assert stage.sink.entries == []
    [data] = stage.system_messages("api_retry")
    assert (data["attempt"], data["retry_delay_ms"], data["error_status"]) == (2, 800, 529)


async def test_a_result_is_durable_before_it_is_said(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    result = ResultMessage("success", 1, 1, False, 1, "session")
    told = await stage.record.result(result)
    assert stage.sink.log == ["ResultEntry", "sync"]
    [entry] = stage.sink.entries
    assert isinstance(entry, ResultEntry) and entry.result == told
    assert told.uuid == entry.header.uuid
    assert stage.said == [told]


async def test_cancelled_while_a_result_is_written_it_is_said_all_the_same(tmp_path: Path) -> None:
    moments = Moments(1)
    stage = Stage(tmp_path, moments=moments)
    with moments.scope:
        await stage.record.result(ResultMessage("success", 1, 1, False, 1, "session"))
    assert len(stage.results) == 1


async def test_a_new_session_begins_empty_and_leaves_the_old_file_alone(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(said("Done.")))
    await stage.run()
    before = list(stage.sink.entries)
    other = Entries()
    old = stage.record.stamp
    stage.record.begin_anew(other, Stamp("next", old.cwd, old.version, old.clock, old.new_id))
    stage.record.started("interactive")
    stage.record.context("where you are")
    assert stage.record.session_id == stage.record.conversation.session_id == "next"
    assert stage.record.conversation.has_context
    assert (len(other.entries), stage.sink.entries) == (2, before)


async def test_what_is_not_said_is_folded(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.record.mode("plan")
    stage.record.model("other")
    stage.record.title("made", generated=True)
    stage.record.file_seen("/x", Seen("d1", 9, ((1, 3),)))
    now = stage.record.conversation
    assert (now.mode, now.model, now.title) == ("plan", "other", "made")
    assert now.files_seen == {"/x": Seen("d1", 9, ((1, 3),))}
    stage.record.title("mine", generated=False)
    assert stage.record.conversation.title == "mine"
    assert stage.said == []


async def test_a_prompt_with_pictures_is_remembered_by_its_text(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    picture: JsonObject = {"type": "image", "source": {}}
    blocks: list[JsonObject] = [{"type": "text", "text": "what is this?"}, picture]
    await stage.record.prompt(blocks, None)
    assert isinstance(stage.sink.entries[-1], LastPromptEntry)
    assert stage.sink.entries[-1].text == "what is this?"


async def test_what_is_not_the_persons_names_who_speaks_and_is_not_their_last_prompt(
    tmp_path: Path,
) -> None:
    stage = Stage(tmp_path)
    await stage.record.prompt("it has ended", "u", origin={"kind": "task-notification"})
    [message] = stage.all(UserMessage)
    assert message.origin == {"kind": "task-notification"}
    assert not any(isinstance(entry, LastPromptEntry) for entry in stage.sink.entries)


async def test_what_a_command_did_is_said_as_documented_and_seen_by_the_model(
    tmp_path: Path,
) -> None:
    stage = Stage(tmp_path)
    await stage.record.prompt("go", None)
    await stage.record.command_stdout("Model is x.")
    message = stage.all(UserMessage)[-1]
    assert message.content == "<local-command-stdout>Model is x.</local-command-stdout>"
    assert message.synthetic
    assert "Model is x." in str(stage.next_request().messages)
    assert stage.record.conversation.prompts == 1
    stage.require_valid()


async def test_any_banner_can_be_shown_again(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    await stage.record.noted("model_fallback", "another answers", "warning", trigger="overloaded")
    [data] = stage.system_messages("model_fallback")
    [entry] = stage.sink.entries
    assert isinstance(entry, NoticeEntry)
    assert (entry.subtype, entry.data) == ("model_fallback", {"trigger": "overloaded"})
    assert (data["content"], data["trigger"]) == ("another answers", "overloaded")
