"""What a session says, in the words of programs. What only our own front ends understand is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from agent_tui.protocol import content as ours
from agent_tui.protocol import messages as said
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.records import to_record
from agent_tui.sdk import content as theirs
from agent_tui.sdk import messages as told
from agent_tui.sdk import system_messages as system

OWN_SUBTYPES = frozenset({"session_title", "retracted", "saving"})
"""System messages that no program knows."""

DOCUMENTED = {"overloaded": "server_error"}
"""Errors by names that the SDK's own list lacks, and the name it has for them."""


def convert(message: said.Message) -> told.Message | None:
    """Give a message as a program sees it, None for one that it would not know."""
    match message:
        case said.SystemMessage(subtype, _):
            return None if subtype in OWN_SUBTYPES else _system(to_record(message))
        case said.AssistantMessage():
            return _assistant(message)
        case said.UserMessage():
            return _user(message)
        case said.StreamEvent():
            return told.StreamEvent(
                message.uuid,
                message.session_id,
                message.event,
                message.parent_tool_use_id,
                message.user_message_uuid,
                _list(message.user_message_uuids),
            )
        case said.ResultMessage():
            return _result(message)
        case said.ConversationResetMessage(new_id, uuid, session_id):
            return told.ConversationResetMessage(new_id, uuid, session_id)
        case _:
            return None


def _assistant(message: said.AssistantMessage) -> told.AssistantMessage:
    return told.AssistantMessage(
        content=_blocks(message.content),
        model=message.model,
        parent_tool_use_id=message.parent_tool_use_id,
        error=cast("Any", DOCUMENTED.get(message.error or "", message.error)),
        usage=message.usage,
        message_id=message.message_id,
        stop_reason=message.stop_reason,
        session_id=message.session_id,
        uuid=message.uuid,
        user_message_uuid=message.user_message_uuid,
        user_message_uuids=_list(message.user_message_uuids),
    )


def _user(message: said.UserMessage) -> told.UserMessage:
    content = message.content
    return told.UserMessage(
        content=content if isinstance(content, str) else _blocks(content),
        uuid=message.uuid,
        parent_tool_use_id=message.parent_tool_use_id,
        tool_use_result=cast("Any", message.tool_use_result),  # a text where the call failed
        origin=cast("Any", message.origin),
    )


def _result(message: said.ResultMessage) -> told.ResultMessage:
    deferred = message.deferred_tool_use
    return told.ResultMessage(
        subtype=message.subtype,
        duration_ms=message.duration_ms,
        duration_api_ms=message.duration_api_ms,
        is_error=message.is_error,
        num_turns=message.num_turns,
        session_id=message.session_id,
        stop_reason=message.stop_reason,
        total_cost_usd=message.total_cost_usd,
        usage=message.usage,
        result=message.result,
        structured_output=message.structured_output,
        model_usage=cast("Any", message.model_usage),
        permission_denials=list(message.permission_denials),
        deferred_tool_use=None
        if deferred is None
        else told.DeferredToolUse(deferred["id"], deferred["name"], deferred["input"]),
        errors=_list(message.errors),
        api_error_status=message.api_error_status,
        uuid=message.uuid,
        terminal_reason=message.terminal_reason,
        origin=cast("Any", message.origin),
        user_message_uuid=message.user_message_uuid,
        user_message_uuids=_list(message.user_message_uuids),
    )


def _list(values: tuple[str, ...] | None) -> list[str] | None:
    return None if values is None else list(values)


def _blocks(blocks: tuple[ours.ContentBlock, ...]) -> list[theirs.ContentBlock]:
    return [found for found in map(_block, blocks) if found is not None]


def _block(block: ours.ContentBlock) -> theirs.ContentBlock | None:
    """Give a block; None for the kinds that have no class (hidden reasoning, pictures, unknown ones)."""
    match block:
        case ours.TextBlock(text):
            return theirs.TextBlock(text)
        case ours.ThinkingBlock(thinking, signature):
            return theirs.ThinkingBlock(thinking, signature)
        case ours.ToolUseBlock(id_, name, input_):
            return theirs.ToolUseBlock(id_, name, input_)
        case ours.ToolResultBlock(tool_use_id, content, is_error):
            return theirs.ToolResultBlock(tool_use_id, content, is_error)
        case ours.ServerToolUseBlock(id_, name, input_):
            return theirs.ServerToolUseBlock(id_, cast("Any", name), input_)
        case ours.ServerToolResultBlock(_, tool_use_id, content):
            return theirs.ServerToolResultBlock(tool_use_id, content)
        case _:
            return None


# System messages with a class of their own ----------------------------------------------------------------------


def _system(record: JsonObject) -> told.SystemMessage:
    make = _TYPED.get(record["subtype"], told.SystemMessage)
    try:
        return make(record["subtype"], record)
    except (
        KeyError
    ):  # a field that its class needs is missing: the record itself is still worth having
        return told.SystemMessage(record["subtype"], record)


def _task_started(subtype: str, record: JsonObject) -> told.SystemMessage:
    return system.TaskStartedMessage(
        subtype,
        record,
        record["task_id"],
        record["description"],
        record["uuid"],
        record["session_id"],
        record.get("tool_use_id"),
        record.get("task_type"),
    )


def _task_progress(subtype: str, record: JsonObject) -> told.SystemMessage:
    return system.TaskProgressMessage(
        subtype,
        record,
        record["task_id"],
        record["description"],
        record["usage"],
        record["uuid"],
        record["session_id"],
        record.get("tool_use_id"),
        record.get("last_tool_name"),
    )


def _task_notification(subtype: str, record: JsonObject) -> told.SystemMessage:
    return system.TaskNotificationMessage(
        subtype,
        record,
        record["task_id"],
        record["status"],
        record["output_file"],
        record["summary"],
        record["uuid"],
        record["session_id"],
        record.get("tool_use_id"),
        record.get("usage"),
    )


def _task_updated(subtype: str, record: JsonObject) -> told.SystemMessage:
    patch = record["patch"]
    return system.TaskUpdatedMessage(
        subtype,
        record,
        record["task_id"],
        patch,
        patch.get("status"),
        record.get("session_id"),
        record.get("uuid"),
    )


def _hook_event(subtype: str, record: JsonObject) -> told.SystemMessage:
    return system.HookEventMessage(
        subtype,
        record,
        str(record.get("hook_event") or record.get("hook_event_name") or ""),
        record.get("session_id"),
        record.get("uuid"),
    )


def _mirror_error(subtype: str, record: JsonObject) -> told.SystemMessage:
    return system.MirrorErrorMessage(
        subtype, record, record.get("key"), str(record.get("error") or "")
    )


_TYPED: dict[str, Callable[[str, JsonObject], told.SystemMessage]] = {
    "task_started": _task_started,
    "task_progress": _task_progress,
    "task_notification": _task_notification,
    "task_updated": _task_updated,
    "hook_started": _hook_event,
    "hook_progress": _hook_event,
    "hook_response": _hook_event,
    "mirror_error": _mirror_error,
}
