from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from agent_tui.journal.entries import LastPromptEntry, UnknownEntry
from agent_tui.journal.fold import Conversation, fold
from agent_tui.loop.record import Recorder
from agent_tui.loop.scribe import MOST_UUIDS, TELL_SECONDS
from agent_tui.model.client import BlockDone
from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.messages import AssistantMessage, Message, StreamEvent, SystemMessage
from tests.fakes.model import ScriptedModel, said
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio


async def test_what_is_said_has_been_written(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    written_when_said: list[int] = []

    async def hear(message: Message) -> None:
        written_when_said.append(len(stage.sink.entries))

    record = Recorder(stage.sink, stage.record.stamp, Conversation(), hear)
    await record.prompt("go", "11111111-0000-4000-8000-000000000000")
    await record.block(
        BlockDone(0, TextBlock("x")), message_id="m", model="x", asked_model="x", usage=None
    )
    await record.notice("careful", "warning")
    assert written_when_said == [2, 3, 4]
    assert fold(stage.sink.entries).lines == record.conversation.lines


async def test_lines_follow_one_another(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(said("Done.")))
    await stage.run()
    headers = [
        e.header for e in stage.sink.entries if not isinstance(e, LastPromptEntry | UnknownEntry)
    ]
    parents = [header.parent_uuid for header in headers[1:]]
    assert parents == [header.uuid for header in headers[:-1]]
    assert {header.session_id for header in headers} == {"session"}


async def test_a_listener_that_hangs_does_not_hold_an_interrupt_for_ever(tmp_path: Path) -> None:
    async def hear(message: Message) -> None:
        await anyio.sleep_forever()

    stage = Stage(tmp_path)
    record = Recorder(stage.sink, stage.record.stamp, Conversation(), hear)
    with anyio.fail_after(TELL_SECONDS + 3):
        await record.tell(SystemMessage("init"))
    assert stage.sink.entries == []


async def test_messages_name_the_prompts_they_answer(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    record = stage.record

    async def say() -> None:
        await record.block(
            BlockDone(0, TextBlock("x")), message_id="m", model="x", asked_model="x", usage=None
        )
        await record.stream_event({"type": "message_stop"})
        await record.api_error("no", "unknown")

    await say()
    record.serve("a")
    record.serve_too("b")
    record.serve_too("a")
    await say()
    messages = [*stage.all(AssistantMessage), *stage.all(StreamEvent)]
    named = {(m.user_message_uuid, m.user_message_uuids) for m in messages}
    assert named == {(None, None), ("a", ("a", "b"))}
    for number in range(100):
        record.serve_too(str(number))
    assert len(record.serving) == MOST_UUIDS == 64
