"""What was said in stored sessions and by their sub-agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from agent_tui.journal.file import Reading
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_files import parents, session_file, side_files
from agent_tui.sdk.session_lines import messages, part, side_messages
from agent_tui.sdk.session_types import SessionMessage
from agent_tui.settings.plain import read_plain


def get_session_messages(
    session_id: str, directory: str | None = None, limit: int | None = None, offset: int = 0
) -> list[SessionMessage]:
    """Give what was said in a session, oldest first, since its last compaction; [] where there is none.

    Args:
        session_id: which.
        directory: of which project; None looks in all.
        limit: at most so many; None or less than 1 is all.
        offset: leave out so many at first.
    """
    path = session_file(session_id, directory)
    if path is None:
        return []
    return part(messages(list(Reading(path).lines())), limit, offset)


def list_subagents(session_id: str, directory: str | None = None) -> list[str]:
    """Name the sub-agents of a session that have a journal."""
    path = session_file(session_id, directory)
    return [] if path is None else sorted(side_files(path))


def get_subagent_messages(
    session_id: str,
    agent_id: str,
    directory: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> list[SessionMessage]:
    """Give what was said by and to a sub-agent; each message names the call, and the sub-agent, that began it."""
    path = session_file(session_id, directory)
    side = None if path is None else side_files(path).get(agent_id)
    if side is None:
        return []
    call, agent = parents(note_of(side))
    return part(side_messages(list(Reading(side).lines()), call, agent), limit, offset)


def note_of(side: Path) -> JsonObject:
    """Read the note beside a sub-agent's journal; empty where there is none that can be read."""
    try:
        raw: object = json.loads(read_plain(side.with_suffix(".meta.json")))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("JsonObject", raw) if isinstance(raw, dict) else {}
