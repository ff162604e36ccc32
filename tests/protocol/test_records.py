from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.protocol.content import TextBlock, ToolUseBlock
from agent_tui.protocol.display import FileDisplay
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    ResultMessage,
    StatusChanged,
    SystemMessage,
    ToolProgress,
)
from agent_tui.protocol.records import from_record, to_record
from tests.protocol.strategies import MESSAGE_KINDS, instances


def normal(message: Any) -> Any:
    """A system record's data can't hold the two keys that the record itself uses."""
    if isinstance(message, SystemMessage):
        data = {k: v for k, v in message.data.items() if k not in ("type", "subtype")}
        return SystemMessage(message.subtype, data)
    return message


@given(st.one_of([instances(kind) for kind in MESSAGE_KINDS]).map(normal))
def test_every_message_survives_its_record(message: Message) -> None:
    assert from_record(json.loads(json.dumps(to_record(message)))) == message


def test_an_assistant_record_has_the_documented_shape() -> None:
    message = AssistantMessage(
        (ToolUseBlock("t1", "Read", {"file_path": "a"}),),
        model="m",
        message_id="msg_1",
        session_id="s",
        uuid="u",
        display=FileDisplay("a"),
    )
    record = to_record(message)
    assert record["type"] == "assistant"
    assert record["message"]["id"] == "msg_1"
    assert record["message"]["content"] == [
        {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a"}}
    ]
    assert (record["session_id"], record["uuid"], record["parent_tool_use_id"]) == ("s", "u", None)


def test_a_result_record_always_has_what_is_promised() -> None:
    record = to_record(ResultMessage("error_max_turns", 5, 3, True, 2, "s"))
    for name in ("total_cost_usd", "usage", "num_turns", "session_id", "modelUsage", "is_error"):
        assert name in record
    assert "result" not in record


def test_progress_is_told_in_seconds() -> None:
    record = to_record(ToolProgress("t", "Bash", 1500))
    assert record["elapsed_time_seconds"] == 1.5


def test_an_unknown_record_is_skipped_and_a_broken_one_refused() -> None:
    assert from_record({"type": "from_the_future"}) is None
    with pytest.raises(ValueError, match="ResultMessage"):
        from_record({"type": "result", "subtype": "success"})
    with pytest.raises(ValueError, match="StatusChanged"):
        from_record({"type": "session_status", "mode": 7, "session_id": "s", "model": "m"})
    assert isinstance(
        from_record({"type": "session_status", "session_id": "s", "model": "m", "mode": "plan"}),
        StatusChanged,
    )


@pytest.mark.parametrize(
    "odd",
    [
        {"duration_ms": "long"},
        {"duration_ms": 10**400},
        {"total_cost_usd": 10**400},
        {"terminal_reason": ["x"]},
        {"usage": "much"},
        {"errors": [5]},
    ],
)
def test_a_result_of_another_form_is_refused(odd: dict[str, Any]) -> None:
    fine = to_record(ResultMessage("success", 1, 1, False, 1, "s"))
    assert isinstance(from_record(fine), ResultMessage)
    with pytest.raises(ValueError, match="not a ResultMessage"):
        from_record({**fine, **odd})


def test_text_blocks_keep_lone_surrogates() -> None:
    message = AssistantMessage((TextBlock("a\udcff"),), model="m")
    assert from_record(json.loads(json.dumps(to_record(message)))) == message
