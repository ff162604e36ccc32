"""A store in memory, and what stores keep of a session for lists."""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Sequence
from typing import Any, cast

from agent_tui.journal.peek import Told
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_types import (
    SessionKey,
    SessionListSubkeysKey,
    SessionStoreEntry,
    SessionStoreListEntry,
    SessionSummaryEntry,
)

SIDE = "side"
"""Marks the summary of what is no session but a sub-agent's journal under a session's key."""

_FIELDS = {field.name: field.default for field in dataclasses.fields(Told)}


def fold_session_summary(
    prev: SessionSummaryEntry | None, key: SessionKey, entries: list[SessionStoreEntry]
) -> SessionSummaryEntry:
    """Give the summary of a session after further lines; for keys without a subpath.

    Args:
        prev: the summary until now, None for a session's first lines.
        key: the session's.
        entries: the further lines.

    Returns:
        The summary with the ``mtime`` it had (0 for a new one): the store sets it when it has written.
    """
    before: dict[str, Any] = dict(prev["data"]) if prev is not None else {}
    told = Told(**{name: before[name] for name in _FIELDS if name in before})
    side = before.get(SIDE, bool(entries) and _is_side(entries[0]))
    for entry in entries:
        told.hear(cast("JsonObject", entry))
    data = {**before, **_kept(told), SIDE: side}
    return {
        "session_id": key["session_id"],
        "mtime": prev["mtime"] if prev is not None else 0,
        "data": data,
    }


def told_by(summary: SessionSummaryEntry) -> Told | None:
    """Read a summary; None for one that is no session's, or that somebody else made."""
    data = summary["data"]
    if SIDE not in data or data[SIDE]:
        return None
    return Told(**{name: data[name] for name in _FIELDS if name in data})


def _is_side(entry: SessionStoreEntry) -> bool:
    return bool(cast("JsonObject", entry).get("isSidechain"))


def _kept(told: Told) -> dict[str, Any]:
    """Give what a told session is made anew from, without what is as it is for all."""
    return {
        name: value for name, value in dataclasses.asdict(told).items() if value != _FIELDS[name]
    }


class InMemorySessionStore:
    """Keeps journals in this process's memory: for tests, and as the example of a store."""

    def __init__(self) -> None:
        self._journals: dict[tuple[str, str, str], list[SessionStoreEntry]] = {}
        self._places: dict[tuple[str, str, str], dict[str, int]] = {}
        self._modified: dict[tuple[str, str], int] = {}
        self._summaries: dict[tuple[str, str], SessionSummaryEntry] = {}
        self._clock = 0

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Keep lines; one with a uuid that is there already replaces it."""
        if not entries:
            return
        name = _name(key)
        journal = self._journals.setdefault(name, [])
        places = self._places.setdefault(name, {})
        for entry in copy.deepcopy(entries):
            uuid = entry.get("uuid")
            if uuid is not None and uuid in places:
                journal[places[uuid]] = entry
                continue
            if uuid is not None:
                places[uuid] = len(journal)
            journal.append(entry)
        if not name[2]:
            self._touch(key, entries)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Give all lines, None for what was never written."""
        journal = self._journals.get(_name(key))
        return None if journal is None else copy.deepcopy(journal)

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """List a project's sessions."""
        return [
            {"session_id": session_id, "mtime": mtime}
            for (project, session_id), mtime in self._modified.items()
            if project == project_key
        ]

    async def list_session_summaries(self, project_key: str) -> list[SessionSummaryEntry]:
        """Give the summaries of a project's sessions."""
        return [
            copy.deepcopy(summary)
            for (project, _), summary in self._summaries.items()
            if project == project_key
        ]

    async def delete(self, key: SessionKey) -> None:
        """Remove a session with its sub-agents, or one sub-agent."""
        project, session, subpath = _name(key)
        gone = [
            name
            for name in self._journals
            if name[:2] == (project, session) and subpath in ("", name[2])
        ]
        for name in gone:
            del self._journals[name], self._places[name]
        if not subpath:
            self._modified.pop((project, session), None)
            self._summaries.pop((project, session), None)

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """List the subpaths of a session."""
        session = (key["project_key"], key["session_id"])
        return [name[2] for name in self._journals if name[:2] == session and name[2]]

    def get_entries(self, key: SessionKey) -> list[SessionStoreEntry]:
        """Give the lines of a journal, [] where there is none; for tests."""
        return copy.deepcopy(self._journals.get(_name(key), []))

    @property
    def size(self) -> int:
        """How many sessions there are, sub-agents not counted; for tests."""
        return sum(not subpath for _, _, subpath in self._journals)

    def clear(self) -> None:
        """Forget everything; for tests."""
        self._journals.clear()
        self._places.clear()
        self._modified.clear()
        self._summaries.clear()

    def _touch(self, key: SessionKey, entries: Sequence[SessionStoreEntry]) -> None:
        """Note the time, later than any before, so that the newest session is always known."""
        session = (key["project_key"], key["session_id"])
        self._clock = max(self._clock + 1, round(time.time() * 1000))
        self._modified[session] = self._clock
        folded = fold_session_summary(self._summaries.get(session), key, list(entries))
        folded["mtime"] = self._clock
        self._summaries[session] = folded


def _name(key: SessionKey) -> tuple[str, str, str]:
    return key["project_key"], key["session_id"], key.get("subpath") or ""
