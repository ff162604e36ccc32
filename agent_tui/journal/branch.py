"""A copy of a session that goes on by itself: the same talk under a new id, every line under a new name.

Lines are copied as they are stored, also those of kinds this version does not know; only what names lines and sessions
is changed, nothing that was said: the copy's requests begin with the same bytes. The first line tells which session
it is a copy of, and every other one which line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from agent_tui.journal.entries import FORMAT, Origin
from agent_tui.protocol.content import JsonObject

_LINE_NAMES = (
    "parentUuid",
    "logicalParentUuid",
    "summaryUuid",
    "keptFrom",
    "sourceToolAssistantUUID",
    "promptUuid",
    "to",
    "left",
)
"""Fields that name another line."""

_RESULT_NAMES = ("uuid", "user_message_uuid")
_NOT_COPIED = frozenset({"file-history-snapshot", "file-change"})
"""What was kept of files in order to undo belongs to the session that changed them."""


def branch(
    lines: Iterable[JsonObject],
    *,
    parent: str,
    session_id: str,
    new_id: Callable[[], str],
    timestamp: str,
    origin: Origin | None = None,
) -> Iterator[JsonObject]:
    """Give the lines of a copy.

    Args:
        lines: the original's, from its beginning, as far as they are to be copied.
        parent: the original's id.
        session_id: the copy's.
        new_id: makes names of lines.
        timestamp: of the first line, where the original has none that says who began it.
        origin: who makes the copy; None leaves what the original says.
    """
    renamer = _Renamer(parent, session_id, new_id)
    first = True
    for line in lines:
        if line.get("type") in _NOT_COPIED:
            continue
        started = line.get("type") == "system" and line.get("subtype") == "session_started"
        if first and not started:
            yield _started(session_id, parent, new_id(), timestamp, origin)
        first = False
        copy = renamer.renamed(line)
        if started:
            copy["forkedFrom"] = parent
            copy["origin"] = origin or copy.get("origin")
        yield copy


class _Renamer:
    """Gives every line one new name, whether it is named before or after it comes."""

    def __init__(self, parent: str, session_id: str, new_id: Callable[[], str]) -> None:
        self._parent = parent
        self._session_id = session_id
        self._new_id = new_id
        self._names: dict[str, str] = {}

    def renamed(self, line: JsonObject) -> JsonObject:
        """Give a copy of a line under its new name."""
        copy = {**line, "sessionId": self._session_id}
        old = line.get("uuid")
        if isinstance(old, str):
            copy["uuid"] = self._name(old)
            copy["forkedFrom"] = {"sessionId": self._parent, "messageUuid": old}
        for field in _LINE_NAMES:
            if isinstance(line.get(field), str):
                copy[field] = self._name(line[field])
        if line.get("type") == "system":
            self._system(copy)
        return copy

    def _system(self, copy: JsonObject) -> None:
        match copy.get("subtype"):
            case "retracted":  # a response by the API's id, or a prompt by its line's
                copy["messageId"] = self._names.get(str(copy.get("messageId")), copy["messageId"])
            case "result" if isinstance(copy.get("result"), dict):
                copy["result"] = self._result(cast("JsonObject", copy["result"]))
            case "compact_boundary":
                copy["compactMetadata"] = self._deep(copy.get("compactMetadata"))
            case _:
                pass

    def _result(self, result: JsonObject) -> JsonObject:
        changed: JsonObject = {**result, "session_id": self._session_id}
        for field in _RESULT_NAMES:
            if isinstance(result.get(field), str):
                changed[field] = self._name(result[field])
        if isinstance(result.get("user_message_uuids"), list):
            changed["user_message_uuids"] = self._deep(result["user_message_uuids"])
        return changed

    def _deep(self, value: Any) -> Any:
        """Rename the lines that are named anywhere in a record about lines; other texts are no names yet met."""
        if isinstance(value, str):
            return self._names.get(value, value)
        if isinstance(value, list):
            return [self._deep(item) for item in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {key: self._deep(item) for key, item in cast("JsonObject", value).items()}
        return value

    def _name(self, old: str) -> str:
        if old not in self._names:
            self._names[old] = self._new_id()
        return self._names[old]


def _started(
    session_id: str, parent: str, uuid: str, timestamp: str, origin: Origin | None
) -> JsonObject:
    return {
        "type": "system",
        "subtype": "session_started",
        "uuid": uuid,
        "parentUuid": None,
        "sessionId": session_id,
        "timestamp": timestamp,
        "origin": origin or "sdk",
        "formatVersion": FORMAT,
        "forkedFrom": parent,
    }
