"""Lists of sessions in a program's store, and what was said in them: the twins of the readers of local files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from agent_tui.journal.catalogue import is_uuid
from agent_tui.journal.peek import peek_lines
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_files import agent_of, parents, project_key_for_directory
from agent_tui.sdk.session_info import described, milliseconds, page
from agent_tui.sdk.session_lines import messages, part, side_messages
from agent_tui.sdk.session_types import (
    SDKSessionInfo,
    SessionKey,
    SessionMessage,
    SessionStore,
    SessionStoreEntry,
    SessionSummaryEntry,
)
from agent_tui.sdk.store_calls import offers
from agent_tui.sdk.stores import SIDE, told_by


async def list_sessions_from_store(
    session_store: SessionStore,
    directory: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> list[SDKSessionInfo]:
    """List a project's sessions, newest first; None is the project of the current folder.

    A store that keeps summaries is asked for those; only sessions without a fresh one are loaded.

    Raises:
        ValueError: the store has neither ``list_sessions`` nor ``list_session_summaries``.
    """
    project = project_key_for_directory(directory)
    summaries: dict[str, SessionSummaryEntry] = {}
    if offers(session_store, "list_session_summaries"):
        found = await session_store.list_session_summaries(project)
        summaries = {one["session_id"]: one for one in found}
    elif not offers(session_store, "list_sessions"):
        raise ValueError("The store can't list sessions: it has no list_sessions method.")
    modified = {one["session_id"]: one["mtime"] for one in summaries.values()}
    if offers(session_store, "list_sessions"):
        listed = await session_store.list_sessions(project)
        modified = {one["session_id"]: one["mtime"] for one in listed}
    infos: list[SDKSessionInfo] = []
    for session_id, mtime in sorted(modified.items(), key=lambda one: one[1], reverse=True):
        info = _from_summary(summaries.get(session_id), session_id, mtime)
        if info is None and not _is_side(summaries.get(session_id)):
            info = await _from_lines(session_store, project, session_id, mtime)
        if info is not None:
            infos.append(info)
    return page(infos, limit, offset)


async def get_session_info_from_store(
    session_store: SessionStore, session_id: str, directory: str | None = None
) -> SDKSessionInfo | None:
    """Describe one session; None where there is none, or nothing was said in it."""
    project = project_key_for_directory(directory)
    return await _from_lines(session_store, project, session_id) if is_uuid(session_id) else None


async def get_session_messages_from_store(
    session_store: SessionStore,
    session_id: str,
    directory: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> list[SessionMessage]:
    """Give what was said in a session, oldest first, since its last compaction; [] where there is none."""
    if not is_uuid(session_id):
        return []
    lines = await session_store.load(key_of(session_id, directory))
    return part(messages(as_lines(lines)), limit, offset)


async def list_subagents_from_store(
    session_store: SessionStore, session_id: str, directory: str | None = None
) -> list[str]:
    """Name the sub-agents of a session.

    Raises:
        ValueError: the store has no ``list_subkeys``.
    """
    if not offers(session_store, "list_subkeys"):
        raise ValueError("The store can't list sub-agents: it has no list_subkeys method.")
    if not is_uuid(session_id):
        return []
    return sorted(await _agents(session_store, session_id, directory))


async def get_subagent_messages_from_store(
    session_store: SessionStore,
    session_id: str,
    agent_id: str,
    directory: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> list[SessionMessage]:
    """Give what was said by and to a sub-agent; each message names the call, and the sub-agent, that began it."""
    if not is_uuid(session_id) or not agent_id:
        return []
    subpath: str | None = f"subagents/agent-{agent_id}"
    if offers(session_store, "list_subkeys"):
        subpath = (await _agents(session_store, session_id, directory)).get(agent_id)
    if subpath is None:
        return []
    loaded = await session_store.load({**key_of(session_id, directory), "subpath": subpath})
    lines = as_lines(loaded)
    notes = [line for line in lines if line.get("type") == "agent_metadata"]
    call, agent = parents(notes[-1]) if notes else (None, None)
    return part(side_messages(lines, call, agent), limit, offset)


def key_of(session_id: str, directory: str | None) -> SessionKey:
    """Give a session's key in stores."""
    return {"project_key": project_key_for_directory(directory), "session_id": session_id}


def as_lines(loaded: Sequence[SessionStoreEntry] | None) -> list[JsonObject]:
    """Give what a store loaded as journal lines; what is no line is left out."""
    entries = cast("Sequence[Any]", loaded or ())
    return [cast("JsonObject", entry) for entry in entries if isinstance(entry, dict)]


async def _agents(
    session_store: SessionStore, session_id: str, directory: str | None
) -> dict[str, str]:
    """Give the subpaths of a session's sub-agents by their ids."""
    project = project_key_for_directory(directory)
    found = await session_store.list_subkeys({"project_key": project, "session_id": session_id})
    return {agent: subpath for subpath in found if (agent := agent_of(subpath)) is not None}


async def _from_lines(
    session_store: SessionStore, project: str, session_id: str, mtime: int | None = None
) -> SDKSessionInfo | None:
    loaded = await session_store.load({"project_key": project, "session_id": session_id})
    lines = as_lines(loaded)
    seen = peek_lines(lines)
    if seen is None or not seen.title:
        return None
    if mtime is None:
        mtime = await _modified(session_store, project, session_id, lines)
    return described(session_id, seen, mtime)


async def _modified(
    session_store: SessionStore, project: str, session_id: str, lines: Sequence[JsonObject]
) -> int:
    """Find when a session was last written, by the store's clock if it has one, else by its last line's."""
    if offers(session_store, "list_sessions"):
        for one in await session_store.list_sessions(project):
            if one["session_id"] == session_id:
                return one["mtime"]
    stamps = (line.get("timestamp") for line in reversed(lines))
    last = next((stamp for stamp in stamps if isinstance(stamp, str)), "")
    return milliseconds(last) or 0


def _from_summary(
    summary: SessionSummaryEntry | None, session_id: str, mtime: int
) -> SDKSessionInfo | None:
    """Describe a session by its summary; None if there is none as new as the session, or it tells nothing."""
    if summary is None or summary["mtime"] < mtime:
        return None
    told = told_by(summary)
    seen = told.seen() if told is not None else None
    return described(session_id, seen, mtime) if seen is not None and seen.title else None


def _is_side(summary: SessionSummaryEntry | None) -> bool:
    return summary is not None and bool(summary["data"].get(SIDE))
