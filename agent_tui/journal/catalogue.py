"""Which sessions there are, told from the head and the tail of each file; nothing is read whole but for a search.

Two projects may share a folder (reference/sessions.md section 1), so a session belongs to the ``cwd`` in its lines.
Files are looked at newest first and only until enough rows are found.
"""

from __future__ import annotations

import os
import re
import unicodedata
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_tui.journal.peek import TAIL_BYTES, Peek, peek
from agent_tui.journal.search import NOWHERE, Places, places_of
from agent_tui.protocol.errors import SessionError
from agent_tui.protocol.queries import SessionList, SessionRow
from agent_tui.settings.paths import MAX_KEY, Environment, project_key, projects

_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
SEARCH_BYTES = 256 * 1024 * 1024
"""A search gives up after this much text."""


@dataclass(frozen=True, slots=True)
class Found:
    """A session's file as the folder lists it. ``modified`` in seconds since the epoch, ``size`` in bytes."""

    path: Path
    modified: float
    size: int


def sessions(
    env: Environment,
    cwd: Path,
    *,
    all_projects: bool = False,
    search: str = "",
    limit: int = 200,
) -> SessionList:
    """List sessions, newest first. Blocks on files.

    Args:
        env: where the journals are.
        cwd: whose sessions, unless ``all_projects``.
        all_projects: those of every project.
        search: only those whose title or talk holds this text, in any case.
        limit: rows to give; the reply's ``more`` counts the files that were not looked at.
    """
    files = _every_file(env) if all_projects else _files_of(env, cwd)
    belongs = _Belongs(cwd)
    rows: list[SessionRow] = []
    room = SEARCH_BYTES
    for index, file in enumerate(files):
        if len(rows) >= limit or room <= 0:
            return SessionList(tuple(rows), len(files) - index)
        seen = peek(file.path, file.size)
        if seen is None or not seen.title or not (all_projects or belongs(seen.cwd)):
            continue
        found = NOWHERE
        if search:
            found = places_of(file.path, search, room)
            room -= file.size
            if not found.count and search.casefold() not in seen.title.casefold():
                continue
        rows.append(_row(file, seen, found))
    return SessionList(tuple(rows))


def newest(env: Environment, cwd: Path, *, with_print: bool) -> Found | None:
    """Find what ``--continue`` goes on with: the newest session of ``cwd``.

    ``with_print`` takes those made by print mode or a program too; a screen's ``--continue`` does not.
    """
    for file, seen in walk(env, cwd):
        if with_print or seen.origin == "interactive":
            return file
    return None


def walk(
    env: Environment, cwd: Path | None, tail_bytes: int = TAIL_BYTES
) -> Iterator[tuple[Found, Peek]]:
    """Look at the sessions in which something was said, newest first: those of ``cwd``, or (None) of all projects."""
    belongs = _Belongs(cwd) if cwd is not None else None
    for file in _every_file(env) if cwd is None else _files_of(env, cwd):
        seen = peek(file.path, file.size, tail_bytes)
        if seen is not None and seen.title and (belongs is None or belongs(seen.cwd)):
            yield file, seen


def named(env: Environment, cwd: Path, name: str) -> Path:
    """Find a session by its exact title, a person's or a generated one: here first, then in all projects.

    Raises:
        SessionError: there is none, or several.
    """
    for where in (cwd, None):
        found = [file.path for file, seen in walk(env, where) if seen.name == name]
        if len(found) > 1:
            ids = ", ".join(path.stem for path in found)
            raise SessionError(f"Several sessions are called {name!r}; resume one by its id: {ids}")
        if found:
            return found[0]
    raise SessionError(f"There is no session {name!r}, by id or by title.")


def find(env: Environment, session_id: str, cwd: Path | None = None) -> Path:
    """Find a session by its id: in the project of ``cwd`` first, then in all.

    Raises:
        SessionError: there is none, or several projects have one of this id.
    """
    if not _NAME.fullmatch(session_id):
        raise SessionError(f"{session_id!r} is no session id.")
    name = f"{session_id}.jsonl"
    if cwd is not None:
        for folder in folders_of(env, cwd):
            if (folder / name).is_file():
                return folder / name
    found = [folder / name for folder in folders(env) if (folder / name).is_file()]
    if not found:
        raise SessionError(f"There is no session {session_id}.")
    if len(found) > 1:
        raise SessionError(
            f"Several projects have a session {session_id}; start in the folder of the one you mean."
        )
    return found[0]


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID in its usual form, as ids of sessions and lines are."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


class _Belongs:
    """Whether a session's folder is this one; remembers, as many sessions name the same."""

    def __init__(self, cwd: Path) -> None:
        self._real = _real(str(cwd))
        self._known: dict[str, bool] = {}

    def __call__(self, cwd: str) -> bool:
        if cwd not in self._known:
            self._known[cwd] = bool(cwd) and _real(cwd) == self._real
        return self._known[cwd]


def _real(path: str) -> str:
    return unicodedata.normalize("NFC", os.path.realpath(path))


def _row(file: Found, seen: Peek, found: Places) -> SessionRow:
    return SessionRow(
        session_id=file.path.stem,
        title=seen.title,
        first_prompt=seen.first_prompt,
        cwd=seen.cwd,
        modified=file.modified,
        size=file.size,
        branch=seen.branch,
        cost_usd=seen.cost_usd,
        excerpt=found.newest,
        prompts=seen.prompts,
        places=found.count,
        model=seen.model,
        context_tokens=seen.context_tokens,
    )


def _files_of(env: Environment, cwd: Path) -> list[Found]:
    found = [file for folder in folders_of(env, cwd) for file in _files(folder)]
    return sorted(found, key=lambda file: file.modified, reverse=True)


def _every_file(env: Environment) -> list[Found]:
    found = [file for folder in folders(env) for file in _files(folder)]
    return sorted(found, key=lambda file: file.modified, reverse=True)


def folders_of(env: Environment, cwd: Path) -> list[Path]:
    """Give the folders that may hold sessions of ``cwd``: long names may end in another program's hash."""
    key = project_key(cwd)
    if len(key) <= MAX_KEY:
        return [projects(env) / key]
    return [folder for folder in folders(env) if folder.name.startswith(f"{key[:MAX_KEY]}-")]


def folders(env: Environment) -> list[Path]:
    """Give the folders of all projects."""
    try:
        with os.scandir(projects(env)) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir()]
    except OSError:
        return []


def _files(folder: Path) -> Iterator[Found]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".jsonl") and entry.is_file():
                    facts = entry.stat()
                    yield Found(Path(entry.path), facts.st_mtime, facts.st_size)
    except OSError:
        return
