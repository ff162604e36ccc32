"""Lists of stored sessions, told from both ends of each file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from agent_tui.journal.catalogue import Found, walk
from agent_tui.journal.peek import Peek, peek
from agent_tui.sdk.session_files import session_file
from agent_tui.sdk.session_types import SDKSessionInfo
from agent_tui.sdk.worktrees import worktrees
from agent_tui.settings.paths import Environment

TAIL_BYTES = 64 * 1024


def list_sessions(
    directory: str | None = None,
    limit: int | None = None,
    offset: int = 0,
    include_worktrees: bool = True,
) -> list[SDKSessionInfo]:
    """List sessions, newest first.

    Args:
        directory: of which project; None is all.
        limit: at most so many; None or less than 1 is all.
        offset: leave out so many at first.
        include_worktrees: those of the repository's other working trees too.
    """
    env = Environment.of_process()
    places: list[Path | None] = [None]
    if directory is not None:
        here = Path(directory)
        places = [here, *(worktrees(here) if include_worktrees else ())]
    found: dict[str, SDKSessionInfo] = {}
    for place in places:
        for file, seen in walk(env, place, TAIL_BYTES):
            one = info_of(file, seen)
            before = found.get(one.session_id)
            if before is None or before.last_modified < one.last_modified:
                found[one.session_id] = one
    newest = sorted(found.values(), key=lambda one: one.last_modified, reverse=True)
    return page(newest, limit, offset)


def get_session_info(session_id: str, directory: str | None = None) -> SDKSessionInfo | None:
    """Describe one session; None where there is none, or nothing was said in it."""
    path = session_file(session_id, directory)
    if path is None:
        return None
    facts = path.stat()
    seen = peek(path, facts.st_size, TAIL_BYTES)
    if seen is None or not seen.title:
        return None
    return info_of(Found(path, facts.st_mtime, facts.st_size), seen)


def info_of(file: Found, seen: Peek) -> SDKSessionInfo:
    """Describe a session's file."""
    return described(file.path.stem, seen, int(file.modified * 1000), file.size)


def described(
    session_id: str, seen: Peek, modified_ms: int, size: int | None = None
) -> SDKSessionInfo:
    """Describe a session; ``size`` None for one that is no file."""
    return SDKSessionInfo(
        session_id=session_id,
        summary=seen.title,
        last_modified=modified_ms,
        file_size=size,
        custom_title=seen.name or None,
        first_prompt=seen.first_prompt or None,
        git_branch=seen.branch or None,
        cwd=seen.cwd or None,
        tag=seen.tag or None,
        created_at=milliseconds(seen.created),
    )


def page(found: list[SDKSessionInfo], limit: int | None, offset: int = 0) -> list[SDKSessionInfo]:
    """Give ``limit`` sessions (None or less than 1: all) after the first ``offset``."""
    start = max(0, offset)
    return found[start : start + limit] if limit is not None and limit > 0 else found[start:]


def milliseconds(stamp: str) -> int | None:
    """Give a moment (ISO 8601) in milliseconds since the epoch, None for what is none."""
    try:
        return round(datetime.fromisoformat(stamp).timestamp() * 1000)
    except ValueError:
        return None
