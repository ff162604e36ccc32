from __future__ import annotations

from typing import Any, cast

import pytest

from agent_tui.protocol import content as ours
from agent_tui.protocol import messages as said
from agent_tui.protocol.requests import RequestClosed
from agent_tui.sdk import (
    AssistantMessage,
    ConversationResetMessage,
    DeferredToolUse,
    HookEventMessage,
    MirrorErrorMessage,
    ResultMessage,
    ServerToolResultBlock,
    ServerToolUseBlock,
    StreamEvent,
    SystemMessage,
    TaskNotificationMessage,
    TaskProgressMessage,
    TaskStartedMessage,
    TaskUpdatedMessage,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)
from agent_tui.sdk.convert import OWN_SUBTYPES, convert

USAGE = {"total_tokens": 3, "tool_uses": 1, "duration_ms": 20}
NAMES = {"uuid": "u1", "session_id": "s1"}


def test_an_assistant_message_keeps_its_fields() -> None:
    message = said.AssistantMessage(
        (ours.TextBlock("hi"),),
        "model",
        "t0",
        "overloaded",
        {"input_tokens": 1},
        "m1",
        "end_turn",
        "s1",
        "u1",
        user_message_uuid="p1",
        user_message_uuids=("p1", "p2"),
    )
    assert convert(message) == AssistantMessage(
        [TextBlock("hi")],
        "model",
        "t0",
        "server_error",
        {"input_tokens": 1},
        "m1",
        "end_turn",
        "s1",
        "u1",
        "p1",
        ["p1", "p2"],
    )


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        (ours.TextBlock("a"), [TextBlock("a")]),
        (ours.ThinkingBlock("hm", "sig"), [ThinkingBlock("hm", "sig")]),
        (ours.ToolUseBlock("t1", "Read", {"a": 1}), [ToolUseBlock("t1", "Read", {"a": 1})]),
        (ours.ToolResultBlock("t1", "x", True), [ToolResultBlock("t1", "x", True)]),
        (
            ours.ServerToolUseBlock("t1", "web_search", {}),
            [ServerToolUseBlock("t1", "web_search", {})],
        ),
        (
            ours.ServerToolResultBlock("web_search_tool_result", "t1", {"type": "x"}),
            [ServerToolResultBlock("t1", {"type": "x"})],
        ),
        (ours.RedactedThinkingBlock("x"), []),
        (ours.ImageBlock("image/png", "QQ=="), []),
        (ours.UnknownBlock({"type": "new"}), []),
    ],
)
def test_a_block_is_told_by_its_class_or_left_out(block: ours.ContentBlock, wanted: Any) -> None:
    told = convert(said.AssistantMessage((block,), "model"))
    assert isinstance(told, AssistantMessage)
    assert told.content == wanted


def test_a_user_message_keeps_its_text_or_blocks() -> None:
    origin = {"kind": "task-notification"}
    assert convert(
        said.UserMessage("hi", "u1", "t0", {"type": "text"}, "s1", origin=origin)
    ) == UserMessage("hi", "u1", "t0", {"type": "text"}, cast("Any", origin))
    told = convert(said.UserMessage((ours.ToolResultBlock("t1", "x"),)))
    assert told == UserMessage([ToolResultBlock("t1", "x", None)])


def test_a_stream_event_and_a_reset_keep_their_fields() -> None:
    event = said.StreamEvent("u1", "s1", {"type": "ping"}, "t0", "p1", ("p1",))
    assert convert(event) == StreamEvent("u1", "s1", {"type": "ping"}, "t0", "p1", ["p1"])
    reset = said.ConversationResetMessage("s2", "u1", "s1")
    assert convert(reset) == ConversationResetMessage("s2", "u1", "s1")


def test_a_result_keeps_its_fields() -> None:
    told = convert(
        said.ResultMessage(
            "error_max_turns",
            1,
            2,
            True,
            3,
            "s1",
            "tool_use",
            0.5,
            {"input_tokens": 1},
            None,
            {"n": 1},
            {"model": {}},
            ({"tool_name": "Bash"},),
            ("too many",),
            529,
            "u1",
            "max_turns",
            "p1",
            user_message_uuids=("p1",),
            origin={"kind": "human"},
            deferred_tool_use={"id": "t1", "name": "Bash", "input": {}},
        )
    )
    assert told == ResultMessage(
        "error_max_turns",
        1,
        2,
        True,
        3,
        "s1",
        "tool_use",
        0.5,
        {"input_tokens": 1},
        None,
        {"n": 1},
        cast("Any", {"model": {}}),
        [{"tool_name": "Bash"}],
        DeferredToolUse("t1", "Bash", {}),
        ["too many"],
        529,
        "u1",
        "max_turns",
        {"kind": "human"},
        "p1",
        ["p1"],
    )


def system(subtype: str, **data: Any) -> Any:
    return convert(said.SystemMessage(subtype, {**data, **NAMES}))


def test_a_system_message_has_its_whole_record() -> None:
    assert system("status", status=None) == SystemMessage(
        "status", {"type": "system", "subtype": "status", "status": None, **NAMES}
    )


def test_messages_of_background_work_have_classes_of_their_own() -> None:
    started = system("task_started", task_id="b1", description="d", task_type="local_bash")
    assert isinstance(started, TaskStartedMessage)
    assert (started.task_id, started.task_type, started.tool_use_id) == ("b1", "local_bash", None)
    progress = system("task_progress", task_id="b1", description="d", usage=USAGE)
    assert isinstance(progress, TaskProgressMessage)
    assert progress.usage["tool_uses"] == 1
    ended = system(
        "task_notification",
        task_id="b1",
        status="completed",
        output_file="/o",
        summary="done",
        tool_use_id="t1",
    )
    assert isinstance(ended, TaskNotificationMessage)
    assert (ended.status, ended.output_file, ended.tool_use_id) == ("completed", "/o", "t1")
    updated = system("task_updated", task_id="b1", patch={"status": "killed"})
    assert isinstance(updated, TaskUpdatedMessage)
    assert (updated.status, updated.data["uuid"]) == ("killed", "u1")


def test_hooks_and_the_mirror_have_classes_of_their_own() -> None:
    hook = system("hook_started", hook_event="PreToolUse")
    assert isinstance(hook, HookEventMessage)
    assert (hook.hook_event_name, hook.uuid) == ("PreToolUse", "u1")
    key = {"project_key": "p", "session_id": "s1"}
    mirror = system("mirror_error", key=key, error="full")
    assert isinstance(mirror, MirrorErrorMessage)
    assert (mirror.key, mirror.error) == (key, "full")


def test_a_record_that_lacks_what_its_class_needs_is_a_plain_message() -> None:
    assert type(system("task_started", task_id="b1")) is SystemMessage


@pytest.mark.parametrize(
    "message",
    [
        *[said.SystemMessage(subtype, {}) for subtype in sorted(OWN_SUBTYPES)],
        said.StatusChanged("s1", "m", "default"),
        said.QueueChanged(),
        said.ToolProgress("t1", "Bash", 1),
        RequestClosed("r1", "answered"),
    ],
    ids=lambda message: getattr(message, "subtype", type(message).__name__),
)
def test_what_only_our_front_ends_know_is_left_out(message: said.Message) -> None:
    assert convert(message) is None
