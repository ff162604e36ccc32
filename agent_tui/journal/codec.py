"""Entries as lines of JSON and back.

Writing: one compact UTF-8 line, header first, fields that hold their default left out. Reading never fails: a line
that is no JSON object is counted as damaged, one of an unknown kind (or a sub-agent's) is kept as ``UnknownEntry``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from agent_tui.journal.entries import (
    PURPOSES,
    AssistantEntry,
    CompactBoundaryEntry,
    DecisionEntry,
    Entry,
    FileChangedEntry,
    FileSeenEntry,
    GrantedEntry,
    Header,
    InterruptedEntry,
    LastPromptEntry,
    ModeEntry,
    ModelEntry,
    NoticeEntry,
    ResponseEntry,
    ResultEntry,
    RetractedEntry,
    RewoundEntry,
    StartedEntry,
    TasksEntry,
    TitleEntry,
    ToolsTakenEntry,
    UnknownEntry,
    UserEntry,
)
from agent_tui.journal.file_changes import FILE_CHANGE, change_fields, read_change
from agent_tui.journal.wellformed import well_formed
from agent_tui.protocol.codec import MAX_INT, from_json, to_json
from agent_tui.protocol.content import JsonObject, ToolData
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import Display
from agent_tui.protocol.messages import PERMISSION_MODES, ResultMessage
from agent_tui.protocol.records import from_record, to_record
from agent_tui.protocol.requests import PermissionUpdate
from agent_tui.protocol.tasks import Task
from agent_tui.protocol.usage import Usage


def encode(entry: Entry) -> bytes:
    """Give the line of an entry, its newline included."""
    text = json.dumps(to_line(entry), ensure_ascii=False, separators=(",", ":"), default=str)
    return (well_formed(text) + "\n").encode()


def decode(line: bytes) -> Entry | None:
    """Read a line; None when it is damaged (no JSON object)."""
    raw = parse(line)
    return None if raw is None else from_line(raw)


def parse(line: bytes) -> JsonObject | None:
    """Read the JSON object of a line, whatever its kind; None when it is damaged."""
    try:
        raw: object = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return cast("JsonObject", raw) if isinstance(raw, dict) else None


def to_line(entry: Entry) -> JsonObject:
    """Give the JSON object of an entry."""
    match entry:
        case UnknownEntry(raw):
            return raw
        case TitleEntry(header, title, generated):
            kind, key = ("ai-title", "aiTitle") if generated else ("custom-title", "customTitle")
            return {"type": kind, key: title, **_metadata(header)}
        case LastPromptEntry(header, text):
            return {"type": "last-prompt", "lastPrompt": text, **_metadata(header)}
        case FileChangedEntry():
            return {"type": FILE_CHANGE, **_metadata(entry.header), **change_fields(entry)}
        case UserEntry():
            return _user(entry)
        case AssistantEntry():
            return _assistant(entry)
        case _:
            subtype, fields = _system_fields(entry)
            line: JsonObject = {"type": "system", "subtype": subtype, **_header(entry.header)}
            if entry.header.agent_id:
                line["isSidechain"] = True
            return {**line, **fields}


def from_line(raw: JsonObject) -> Entry:
    """Read the JSON object of a line; what does not fit a known kind is kept as ``UnknownEntry``."""
    if raw.get("isSidechain") or raw.get("teamName"):
        return UnknownEntry(raw)
    kind = raw.get("type")
    name = f"system/{raw.get('subtype')}" if kind == "system" else str(kind)
    reader = _READERS.get(name)
    if reader is None:
        reader = _read_notice if kind == "system" and raw.get("notice") is True else None
    if reader is None:
        return UnknownEntry(raw)
    try:
        return reader(_read_header(raw), raw)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return UnknownEntry(raw)


def _header(header: Header) -> JsonObject:
    line: JsonObject = {
        "uuid": header.uuid,
        "parentUuid": header.parent_uuid,
        "sessionId": header.session_id,
        "timestamp": header.timestamp,
        "cwd": header.cwd,
        "version": header.version,
        "gitBranch": header.git_branch,
    }
    if header.agent_id:
        line["agentId"] = header.agent_id
    return line


def _metadata(header: Header) -> JsonObject:
    """Metadata lines are no part of the chain: their header has no parent."""
    line = _header(header)
    del line["parentUuid"]
    return line


def _read_header(raw: JsonObject) -> Header:
    parent = raw.get("parentUuid")
    return Header(
        uuid=_text(raw, "uuid"),
        parent_uuid=parent if isinstance(parent, str) else None,
        session_id=_text(raw, "sessionId"),
        timestamp=_text(raw, "timestamp"),
        cwd=_text(raw, "cwd"),
        version=_text(raw, "version"),
        git_branch=_text(raw, "gitBranch"),
        agent_id=_text(raw, "agentId"),
    )


def _user(entry: UserEntry) -> JsonObject:
    line: JsonObject = {
        "type": "user",
        **_header(entry.header),
        "isSidechain": bool(entry.header.agent_id),
    }
    _put(line, "isMeta", entry.is_meta or None)
    _put(line, "isCompactSummary", entry.is_compact_summary or None)
    _put(line, "isSynthetic", entry.synthetic or None)
    _put(line, "isContext", entry.is_context or None)
    _put(line, "steers", entry.steers or None)
    _put(line, "origin", entry.origin)
    _put(line, "promptUuid", entry.prompt_uuid)
    _put(line, "sourceToolAssistantUUID", entry.source_assistant_uuid)
    line["message"] = entry.message
    _put(line, "toolUseResult", entry.tool_use_result)
    _put(line, "display", to_json(entry.display))
    _put(line, "durationMs", entry.duration_ms)
    _put(line, "decision", to_json(entry.decision))
    return line


def _read_user(header: Header, raw: JsonObject) -> UserEntry:
    return UserEntry(
        header,
        _object(raw["message"]),
        tool_use_result=_structured(raw.get("toolUseResult")),
        display=_display(raw),
        synthetic=raw.get("isSynthetic") is True,
        is_meta=raw.get("isMeta") is True,
        is_context=raw.get("isContext") is True,
        is_compact_summary=raw.get("isCompactSummary") is True,
        source_assistant_uuid=_maybe(raw, "sourceToolAssistantUUID"),
        duration_ms=_number(raw.get("durationMs")),
        prompt_uuid=_maybe(raw, "promptUuid"),
        steers=raw.get("steers") is True,
        origin=_object(raw["origin"]) if raw.get("origin") is not None else None,
        decision=_decision(raw),
    )


def _assistant(entry: AssistantEntry) -> JsonObject:
    line: JsonObject = {
        "type": "assistant",
        **_header(entry.header),
        "isSidechain": bool(entry.header.agent_id),
    }
    _put(line, "requestedModel", entry.asked_model)
    line["message"] = entry.message
    _put(line, "unparsedInput", entry.unparsed)
    _put(line, "display", to_json(entry.display))
    _put(line, "error", entry.error)
    _put(line, "aborted", entry.aborted or None)
    return line


def _read_assistant(header: Header, raw: JsonObject) -> AssistantEntry:
    return AssistantEntry(
        header,
        _object(raw["message"]),
        unparsed=_maybe(raw, "unparsedInput"),
        display=_display(raw),
        error=_maybe(raw, "error"),
        aborted=raw.get("aborted") is True,
        asked_model=_maybe(raw, "requestedModel"),
    )


def _system_fields(entry: Entry) -> tuple[str, JsonObject]:
    match entry:
        case ResponseEntry():
            return "response", _response(entry)
        case CompactBoundaryEntry():
            return "compact_boundary", {
                "content": "Conversation compacted",
                "compactMetadata": entry.compact_metadata,
                "summaryUuid": entry.summary_uuid,
                "keptFrom": entry.kept_from,
                "logicalParentUuid": entry.logical_parent_uuid,
            }
        case StartedEntry(_, origin, version, forked_from):
            return "session_started", {
                "origin": origin,
                "formatVersion": version,
                "forkedFrom": forked_from,
            }
        case RetractedEntry(_, message_id, reason):
            return "retracted", {"messageId": message_id, "reason": reason}
        case RewoundEntry(_, to, left):
            return "rewound", {"to": to, **({"left": left} if left else {})}
        case InterruptedEntry(_, during):
            return "interrupted", {"during": during}
        case ModeEntry(_, mode):
            return "permission_mode", {"permissionMode": mode}
        case ModelEntry(_, model):
            return "model", {"model": model}
        case GrantedEntry(_, updates):
            return "permissions_granted", {"updates": to_json(updates)}
        case ResultEntry(_, result):
            return "result", {"result": to_record(result)}
        case NoticeEntry(_, content, level, subtype, data):
            return subtype, {"notice": True, "content": content, "level": level, "data": data}
        case FileSeenEntry(_, path, digest, total, ranges):
            fields = {
                "path": path,
                "digest": digest,
                "totalLines": total,
                "ranges": to_json(ranges),
            }
            return "file_seen", fields
        case TasksEntry(_, tasks, last_id):
            return "tasks", {"tasks": to_json(tasks), "lastId": last_id}
        case ToolsTakenEntry(_, names):
            return "tools_taken", {"names": list(names)}
        case DecisionEntry(_, decision):
            return "permission_decision", {"decision": to_json(decision)}
        case _:
            raise TypeError(f"{type(entry).__name__} is no system line")


def _response(entry: ResponseEntry) -> JsonObject:
    return {
        "messageId": entry.message_id,
        "model": entry.model,
        "stopReason": entry.stop_reason,
        "usage": entry.usage.to_api(),
        "costUSD": entry.cost_usd,
        "purpose": entry.purpose,
        "contextWindow": entry.context_window,
        "maxOutputTokens": entry.max_output_tokens,
        "durationMs": entry.duration_ms,
    }


def _read_response(header: Header, raw: JsonObject) -> ResponseEntry:
    cost = raw.get("costUSD")
    purpose = raw.get("purpose")
    return ResponseEntry(
        header,
        message_id=_text(raw, "messageId"),
        model=_text(raw, "model"),
        stop_reason=_maybe(raw, "stopReason"),
        usage=Usage.from_api(raw["usage"]),
        cost_usd=float(cost) if cost is not None else None,
        purpose=purpose if purpose in PURPOSES else "other",
        context_window=_number(raw.get("contextWindow")) or 0,
        max_output_tokens=_number(raw.get("maxOutputTokens")) or 0,
        duration_ms=_number(raw.get("durationMs")) or 0,
    )


def _read_boundary(header: Header, raw: JsonObject) -> CompactBoundaryEntry:
    metadata = _object(raw.get("compactMetadata") or {})
    kept: Any = metadata.get("preservedSegment") or metadata.get("preserved_segment") or {}
    return CompactBoundaryEntry(
        header,
        metadata,
        summary_uuid=_maybe(raw, "summaryUuid"),
        kept_from=_maybe(raw, "keptFrom") or _maybe(kept, "headUuid") or _maybe(kept, "head_uuid"),
        logical_parent_uuid=_maybe(raw, "logicalParentUuid"),
    )


def _read_started(header: Header, raw: JsonObject) -> StartedEntry:
    origin = raw["origin"]
    return StartedEntry(
        header,
        origin if origin in ("interactive", "print", "sdk") else "sdk",
        _number(raw.get("formatVersion")) or 0,
        _maybe(raw, "forkedFrom"),
    )


def _read_interrupted(header: Header, raw: JsonObject) -> InterruptedEntry:
    during = raw.get("during")
    return InterruptedEntry(header, during if during in ("tools", "waiting") else "streaming")


def _read_mode(header: Header, raw: JsonObject) -> ModeEntry:
    mode = raw["permissionMode"]
    if mode not in PERMISSION_MODES:
        raise ValueError(mode)
    return ModeEntry(header, mode)


def _read_granted(header: Header, raw: JsonObject) -> GrantedEntry:
    return GrantedEntry(header, tuple(from_json(PermissionUpdate, one) for one in raw["updates"]))


def _read_result(header: Header, raw: JsonObject) -> ResultEntry:
    result = from_record(_object(raw["result"]))
    if not isinstance(result, ResultMessage):
        raise ValueError("no result")
    return ResultEntry(header, result)


def _read_notice(header: Header, raw: JsonObject) -> NoticeEntry:
    data = raw.get("data")
    return NoticeEntry(
        header,
        str(raw["content"]),
        _text(raw, "level") or "info",
        str(raw["subtype"]),
        cast("JsonObject", data) if isinstance(data, dict) else None,
    )


def _read_file_seen(header: Header, raw: JsonObject) -> FileSeenEntry:
    return FileSeenEntry(
        header,
        str(raw["path"]),
        str(raw["digest"]),
        _number(raw.get("totalLines")) or 0,
        tuple((int(first), int(last)) for first, last in raw.get("ranges") or ()),
    )


def _read_tasks(header: Header, raw: JsonObject) -> TasksEntry:
    tasks = tuple(from_json(Task, one) for one in raw["tasks"])
    return TasksEntry(header, tasks, _number(raw.get("lastId")) or 0)


_READERS: dict[str, Callable[[Header, JsonObject], Entry]] = {
    "user": _read_user,
    "assistant": _read_assistant,
    "custom-title": lambda header, raw: TitleEntry(header, str(raw["customTitle"])),
    "ai-title": lambda header, raw: TitleEntry(header, str(raw["aiTitle"]), generated=True),
    "last-prompt": lambda header, raw: LastPromptEntry(header, str(raw["lastPrompt"])),
    "system/session_started": _read_started,
    "system/response": _read_response,
    "system/compact_boundary": _read_boundary,
    "system/retracted": lambda header, raw: RetractedEntry(
        header, str(raw["messageId"]), _text(raw, "reason")
    ),
    "system/rewound": lambda header, raw: RewoundEntry(header, str(raw["to"]), _text(raw, "left")),
    FILE_CHANGE: read_change,
    "system/interrupted": _read_interrupted,
    "system/permission_mode": _read_mode,
    "system/model": lambda header, raw: ModelEntry(header, str(raw["model"])),
    "system/permissions_granted": _read_granted,
    "system/result": _read_result,
    "system/informational": _read_notice,
    "system/file_seen": _read_file_seen,
    "system/tasks": _read_tasks,
    "system/tools_taken": lambda header, raw: ToolsTakenEntry(
        header, tuple(map(str, raw["names"]))
    ),
    "system/permission_decision": lambda header, raw: DecisionEntry(
        header, from_json(DecisionNote, raw["decision"])
    ),
}


def _display(raw: JsonObject) -> Display | None:
    """Read a display; one that does not fit is no reason to lose its line."""
    try:
        return cast(
            "Display | None", from_json(cast("type[Any]", Display | None), raw.get("display"))
        )
    except ValueError:
        return None


def _decision(raw: JsonObject) -> DecisionNote | None:
    """Read the decision on a call; one that does not fit is no reason to lose the result."""
    try:
        return None if "decision" not in raw else from_json(DecisionNote, raw["decision"])
    except ValueError:
        return None


def _structured(value: Any) -> ToolData | None:
    """Read a tool's structured output; a list that is not of objects is left out."""
    if isinstance(value, list):
        items = cast("list[JsonObject]", value)
        return items if all(isinstance(item, dict) for item in items) else None
    return cast("JsonObject | str", value) if isinstance(value, dict | str) else None


def _object(value: Any) -> JsonObject:
    if not isinstance(value, dict):
        raise TypeError("no object")
    return cast("JsonObject", value)


def _text(raw: JsonObject, key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def _maybe(raw: JsonObject, key: str) -> str | None:
    return _text(raw, key) or None


def _number(value: Any) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if abs(value) <= MAX_INT else None


def _put(line: JsonObject, key: str, value: Any) -> None:
    if value is not None:
        line[key] = value
