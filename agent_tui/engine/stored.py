"""Changes to stored sessions from the picker: a title, the trash."""

from __future__ import annotations

import shutil
import uuid
from datetime import UTC, datetime
from pathlib import Path

from agent_tui.engine.titles import given_title
from agent_tui.journal.catalogue import find
from agent_tui.journal.entries import UnknownEntry, iso
from agent_tui.journal.file import Journal, add_lines, why
from agent_tui.protocol.errors import SessionError, UsageError
from agent_tui.protocol.picking import Removed, RemoveSession, Renamed, RenameSession
from agent_tui.settings.paths import Environment, root
from agent_tui.settings.private import make_private_folder


def rename(env: Environment, query: RenameSession) -> Renamed:
    """Give a session a title, also while it is in use. Blocks on files.

    Raises:
        UsageError: nothing of the title can be seen.
        SessionError: there is no such session, or it can't be written.
    """
    title = given_title(query.title)
    if not title:
        raise UsageError("A title is some words.")
    path = find(env, query.session_id, Path(query.cwd) if query.cwd else None)
    line = {
        "type": "custom-title",
        "customTitle": title,
        "uuid": str(uuid.uuid4()),
        "sessionId": path.stem,
        "timestamp": iso(datetime.now(UTC)),
    }
    try:
        add_lines(path, UnknownEntry(line))
    except OSError as error:
        raise SessionError(f"The session can't be renamed: {why(error)}.") from error
    return Renamed(title)


def trash(env: Environment) -> Path:
    """Where sessions go that are deleted; nothing is ever removed there by us."""
    return root(env) / "trash"


def remove(env: Environment, query: RemoveSession) -> Removed:
    """Put a session, its sub-agents' journals and long outputs into the trash. Blocks on files.

    Raises:
        SessionError: there is no such session, it is in use, or it can't be moved.
    """
    path = find(env, query.session_id, Path(query.cwd) if query.cwd else None)
    held = Journal.open(path)
    try:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        folder = trash(env) / f"{stamp}-{path.parent.name[-80:].lstrip('-')}"
        make_private_folder(folder)
        beside = path.with_suffix("")
        if beside.is_dir():
            shutil.move(beside, folder / beside.name)
        shutil.move(path, folder / path.name)
    except OSError as error:
        raise SessionError(f"The session can't be moved to the trash: {why(error)}.") from error
    finally:
        held.close()
    return Removed(str(folder))
