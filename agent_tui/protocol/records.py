"""Messages as stream-json records and back: the one format of ``-p --output-format stream-json`` and of the link.

Documented records keep their documented shape; what is ours rides in fields and record types of its own, which other
readers skip. Every record has ``uuid`` and ``session_id`` where the message has them.
"""

from __future__ import annotations

from typing import Any, cast

from agent_tui.protocol.codec import from_json, to_json
from agent_tui.protocol.content import JsonObject, block_from_json, block_to_json
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import Display
from agent_tui.protocol.messages import (
    AssistantMessage,
    ConversationResetMessage,
    Message,
    QueueChanged,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    SystemMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.protocol.requests import PermissionRequest, RequestClosed

_DISPLAY = Display | None


def to_record(message: Message) -> JsonObject:
    """Give the record of a message; JSON data, keys in a fixed order."""
    match message:
        case StreamEvent():
            return _stream_event(message)
        case AssistantMessage():
            return _assistant(message)
        case UserMessage():
            return _user(message)
        case SystemMessage(subtype, data):
            return {"type": "system", "subtype": subtype, **data}
        case ResultMessage():
            return _result(message)
        case ConversationResetMessage(new_id, uuid, session_id):
            return {
                "type": "conversation_reset",
                "new_conversation_id": new_id,
                "trigger": "clear",
                "uuid": uuid,
                "session_id": session_id,
            }
        case ToolProgress():
            return {
                "type": "tool_progress",
                "tool_use_id": message.tool_use_id,
                "tool_name": message.tool_name,
                "elapsed_time_seconds": message.elapsed_ms / 1000,
                "parent_tool_use_id": message.parent_tool_use_id,
                "state": message.state,
                "display": to_json(message.display),
            }
        case QueueChanged():
            return {"type": "queue", **to_json(message)}
        case StatusChanged():
            return {"type": "session_status", **to_json(message)}
        case PermissionRequest():
            return {"type": "permission_request", **to_json(message)}
        case RequestClosed():
            return {"type": "request_closed", **to_json(message)}


def from_record(record: JsonObject) -> Message | None:
    """Read a record; None for a type this version does not know.

    Raises:
        ValueError: a known type whose fields do not fit.
    """
    get = record.get
    match get("type"):
        case "stream_event":
            return StreamEvent(
                str(get("uuid")),
                str(get("session_id")),
                record["event"],
                get("parent_tool_use_id"),
                get("user_message_uuid"),
                _uuids(record),
            )
        case "assistant":
            return _read_assistant(record)
        case "user":
            return _read_user(record)
        case "system":
            data = {k: v for k, v in record.items() if k not in ("type", "subtype")}
            return SystemMessage(str(get("subtype")), data)
        case "result":
            return _read_result(record)
        case "conversation_reset":
            return ConversationResetMessage(
                str(get("new_conversation_id")), str(get("uuid")), str(get("session_id"))
            )
        case "tool_progress":
            return ToolProgress(
                str(get("tool_use_id")),
                str(get("tool_name")),
                round(float(get("elapsed_time_seconds") or 0) * 1000),
                _display(get("display")),
                get("parent_tool_use_id"),
                get("state", "running"),
            )
        case "queue":
            return from_json(QueueChanged, record)
        case "session_status":
            return from_json(StatusChanged, record)
        case "permission_request":
            return from_json(PermissionRequest, record)
        case "request_closed":
            return from_json(RequestClosed, record)
        case _:
            return None


def _stream_event(message: StreamEvent) -> JsonObject:
    record: JsonObject = {
        "type": "stream_event",
        "event": message.event,
        "parent_tool_use_id": message.parent_tool_use_id,
        "uuid": message.uuid,
        "session_id": message.session_id,
    }
    _put_uuids(record, message)
    return record


def _assistant(message: AssistantMessage) -> JsonObject:
    body: JsonObject = {
        "id": message.message_id,
        "type": "message",
        "role": "assistant",
        "model": message.model,
        "content": [block_to_json(block) for block in message.content],
        "stop_reason": message.stop_reason,
        "usage": message.usage,
    }
    record: JsonObject = {
        "type": "assistant",
        "message": body,
        "parent_tool_use_id": message.parent_tool_use_id,
        "uuid": message.uuid,
        "session_id": message.session_id,
    }
    _put(record, "error", message.error)
    _put(record, "timestamp", message.timestamp)
    _put(record, "aborted", message.aborted or None)
    _put_uuids(record, message)
    _put(record, "display", to_json(message.display))
    return record


def _read_assistant(record: JsonObject) -> AssistantMessage:
    body = cast("JsonObject", record["message"])
    return AssistantMessage(
        content=tuple(block_from_json(raw) for raw in body.get("content") or ()),
        model=str(body.get("model")),
        parent_tool_use_id=record.get("parent_tool_use_id"),
        error=record.get("error"),
        usage=body.get("usage"),
        message_id=body.get("id"),
        stop_reason=body.get("stop_reason"),
        session_id=record.get("session_id"),
        uuid=record.get("uuid"),
        display=_display(record.get("display")),
        aborted=bool(record.get("aborted")),
        timestamp=record.get("timestamp"),
        user_message_uuid=record.get("user_message_uuid"),
        user_message_uuids=_uuids(record),
    )


def _user(message: UserMessage) -> JsonObject:
    content: Any = message.content
    if not isinstance(content, str):
        content = [block_to_json(block) for block in message.content]  # pyright: ignore[reportArgumentType]
    record: JsonObject = {
        "type": "user",
        "message": {"role": "user", "content": content},
        "parent_tool_use_id": message.parent_tool_use_id,
        "uuid": message.uuid,
        "session_id": message.session_id,
    }
    _put(record, "tool_use_result", message.tool_use_result)
    _put(record, "isSynthetic", message.synthetic or None)
    _put(record, "timestamp", message.timestamp)
    _put(record, "duration_ms", message.duration_ms)
    _put(record, "origin", message.origin)
    _put(record, "isReplay", message.replay or None)
    _put(record, "decision", to_json(message.decision))
    _put(record, "display", to_json(message.display))
    return record


def _read_user(record: JsonObject) -> UserMessage:
    content = cast("JsonObject", record["message"]).get("content")
    return UserMessage(
        content=content
        if isinstance(content, str)
        else tuple(block_from_json(raw) for raw in content or ()),
        uuid=record.get("uuid"),
        parent_tool_use_id=record.get("parent_tool_use_id"),
        tool_use_result=record.get("tool_use_result"),
        session_id=record.get("session_id"),
        display=_display(record.get("display")),
        synthetic=bool(record.get("isSynthetic")),
        timestamp=record.get("timestamp"),
        duration_ms=record.get("duration_ms"),
        origin=record.get("origin"),
        replay=bool(record.get("isReplay")),
        decision=_decision(record.get("decision")),
    )


_RESULT_PLAIN = (
    "subtype",
    "is_error",
    "duration_ms",
    "duration_api_ms",
    "num_turns",
    "stop_reason",
    "session_id",
    "total_cost_usd",
    "usage",
    "terminal_reason",
    "uuid",
)
_RESULT_OPTIONAL = (
    "result",
    "structured_output",
    "api_error_status",
    "user_message_uuid",
    "cost_usd",
    "timestamp",
    "origin",
    "deferred_tool_use",
)


def _result(message: ResultMessage) -> JsonObject:
    record: JsonObject = {"type": "result"}
    for name in _RESULT_PLAIN:
        record[name] = getattr(message, name)
    record["modelUsage"] = message.model_usage
    record["permission_denials"] = list(message.permission_denials)
    for name in _RESULT_OPTIONAL:
        _put(record, name, getattr(message, name))
    if message.errors is not None:
        record["errors"] = list(message.errors)
    if message.user_message_uuids is not None:
        record["user_message_uuids"] = list(message.user_message_uuids)
    return record


def _read_result(record: JsonObject) -> ResultMessage:
    known: dict[str, Any] = {
        name: record.get(name)
        for name in (*_RESULT_PLAIN, *_RESULT_OPTIONAL)
        if record.get(name) is not None
    }
    denials: list[Any] = record.get("permission_denials") or []
    return from_json(
        ResultMessage,
        {
            **known,
            "model_usage": record.get("modelUsage"),
            "permission_denials": [one for one in denials if isinstance(one, dict)],
            "errors": record.get("errors"),
            "user_message_uuids": record.get("user_message_uuids"),
        },
    )


def _put_uuids(record: JsonObject, message: AssistantMessage | StreamEvent) -> None:
    _put(record, "user_message_uuid", message.user_message_uuid)
    if message.user_message_uuids is not None:
        record["user_message_uuids"] = list(message.user_message_uuids)


def _uuids(record: JsonObject) -> tuple[str, ...] | None:
    found: list[Any] | None = record.get("user_message_uuids")
    return None if found is None else tuple(str(one) for one in found)


def _display(data: Any) -> Display | None:
    return None if data is None else cast("Display", from_json(cast("type[Any]", _DISPLAY), data))


def _decision(data: Any) -> DecisionNote | None:
    return None if data is None else from_json(DecisionNote, data)


def _put(record: JsonObject, key: str, value: Any) -> None:
    if value is not None:
        record[key] = value
