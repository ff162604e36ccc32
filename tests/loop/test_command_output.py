from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.journal.entries import NoticeEntry
from agent_tui.journal.replay import messages
from agent_tui.loop.command_output import CommandOutput
from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.messages import AssistantMessage, SystemMessage
from tests.loop.stage import PROMPT_ID, Stage

pytestmark = pytest.mark.anyio


async def test_at_a_screen_it_is_a_notice(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    output = CommandOutput(stage.record, screen=True)
    output.begin()
    await output("two dollars")
    await output("or so", "warning")
    assert output.end() == "two dollars\nor so"
    told = stage.system_messages("local_command_output")
    assert [(data["content"], data["level"]) for data in told] == [
        ("two dollars", "info"),
        ("or so", "warning"),
    ]
    assert not stage.all(AssistantMessage)


async def test_for_a_program_it_is_an_answer_of_no_model(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.record.serve(PROMPT_ID)
    output = CommandOutput(stage.record, screen=False)
    output.begin()
    await output("two dollars")
    assert output.end() == "two dollars"
    [message] = stage.said
    assert isinstance(message, AssistantMessage)
    assert (message.model, message.content) == ("<synthetic>", (TextBlock("two dollars"),))
    assert (message.user_message_uuid, message.session_id) == (PROMPT_ID, "session")
    assert message.message_id
    assert "two dollars" not in str(stage.next_request().messages)


async def test_outside_a_command_everybody_is_told_by_a_notice(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    output = CommandOutput(stage.record, screen=False)
    output.begin()
    output.end()
    await output("no such mode", "warning")
    assert [data["content"] for data in stage.system_messages("local_command_output")] == [
        "no such mode"
    ]
    output.begin()
    assert output.end() == ""


@pytest.mark.parametrize("screen", [True, False])
async def test_whoever_listened_it_is_shown_once_when_the_session_is_opened_again(
    tmp_path: Path, screen: bool
) -> None:
    stage = Stage(tmp_path)
    output = CommandOutput(stage.record, screen=screen)
    output.begin()
    await output("two dollars")
    [entry] = stage.sink.entries
    assert isinstance(entry, NoticeEntry)
    [shown] = messages(stage.sink.entries)
    assert isinstance(shown, SystemMessage)
    assert (shown.subtype, shown.data["content"]) == ("local_command_output", "two dollars")
