"""A session that a program's store holds, put on this machine's disk so that it can go on here as any other.

The store's copy and the local one are usually the same session at two moments: what the local one lacks is added to
it. Where both went on by themselves the store's counts, and the local file is kept beside it under another name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

import anyio.to_thread

from agent_tui.journal.catalogue import is_uuid
from agent_tui.journal.codec import encode, parse
from agent_tui.journal.entries import UnknownEntry
from agent_tui.journal.file import Journal, make_folders
from agent_tui.journal.side_chain import FOLDER
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SessionError
from agent_tui.sdk.session_types import SessionKey, SessionStore
from agent_tui.sdk.store_calls import asked, offers
from agent_tui.sdk.store_sessions import as_lines
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment, journal, project_key
from agent_tui.settings.private import write_private

T = TypeVar("T")

LOAD_MS = 60_000
ASIDE = ".replaced"
"""Behind the name of a local file that had gone on by itself."""

_PART = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


async def restore(
    store: SessionStore, options: Options, env: Environment, load_timeout_ms: int = LOAD_MS
) -> Options:
    """Put the session that ``options`` name on disk, if the store has it; to be called before it is opened.

    Args:
        store: the program's.
        options: what is to be opened; a new session is none of the store's business.
        env: where the journals are.
        load_timeout_ms: how long one call of the store may take; 0 is no time at all.

    Returns:
        The options to open: those given, or with the id of the session that is to be continued.

    Raises:
        ValueError: a session is to be continued, and the store can't list any.
        SessionError: the store failed or did not answer in time, or the local session is in use.
    """
    wanted = options.session
    if not (wanted.resume or wanted.continue_newest):
        return options
    asking = _Asking(store, project_key(Path(options.cwd)), load_timeout_ms / 1000)
    if wanted.resume:
        if is_uuid(wanted.resume):
            await _bring(asking, wanted.resume, options, env)
        return options
    if not offers(store, "list_sessions"):
        raise ValueError("A store needs list_sessions for its newest session to be continued.")
    for session_id in await asking.newest():
        if await _bring(asking, session_id, options, env):
            return replace(
                options, session=replace(wanted, resume=session_id, continue_newest=False)
            )
    return options


@dataclass(frozen=True, slots=True)
class _Asking:
    """Asks a store about the sessions of one project, each call for a bounded time."""

    store: SessionStore
    project: str
    seconds: float

    async def load(self, session_id: str, subpath: str | None = None) -> list[JsonObject]:
        key: SessionKey = {"project_key": self.project, "session_id": session_id}
        if subpath is not None:
            key["subpath"] = subpath
        return as_lines(await self._call("load", partial(self.store.load, key)))

    async def newest(self) -> list[str]:
        """Name the sessions, newest first."""
        found = await self._call("list_sessions", partial(self.store.list_sessions, self.project))
        newest = sorted(found, key=lambda one: one["mtime"], reverse=True)
        return [one["session_id"] for one in newest if is_uuid(one["session_id"])]

    async def sides(self, session_id: str) -> list[str]:
        """Give the subpaths of a session's sub-agents."""
        if not offers(self.store, "list_subkeys"):
            return []
        key = {"project_key": self.project, "session_id": session_id}
        found = await self._call(
            "list_subkeys", lambda: self.store.list_subkeys(cast("SessionKey", key))
        )
        return [subpath for subpath in found if _is_safe(subpath)]

    async def _call(self, name: str, call: Callable[[], Awaitable[T]]) -> T:
        return await asked(name, call, self.seconds)


async def _bring(asking: _Asking, session_id: str, options: Options, env: Environment) -> bool:
    """Put one session on disk; False when the store has none of this id, or it is no session."""
    lines = await asking.load(session_id)
    if not lines or lines[0].get("isSidechain"):
        return False
    path = journal(env, Path(options.cwd), session_id)
    await anyio.to_thread.run_sync(_write, path, lines)
    for subpath in await asking.sides(session_id):
        side = path.with_suffix("") / f"{subpath}.jsonl"
        await anyio.to_thread.run_sync(_write_side, side, await asking.load(session_id, subpath))
    return True


def _write(path: Path, lines: Sequence[JsonObject]) -> None:
    """Write what the local journal lacks; nobody else may hold it meanwhile.

    Raises:
        SessionError: somebody does, or it can't be written.
    """
    if not path.exists():
        _append(Journal.create(path), lines)
        return
    held = Journal.open(path)
    missing = _missing(_read(path), lines)
    if missing is not None:
        _append(held, missing)
        return
    held.close()
    aside = path.with_name(path.name + ASIDE)
    aside.unlink(missing_ok=True)
    path.rename(aside)
    _append(Journal.create(path), lines)


def _write_side(path: Path, lines: Sequence[JsonObject]) -> None:
    """Write a sub-agent's journal, and the note beside it."""
    notes = [line for line in lines if line.get("type") == "agent_metadata"]
    said = [line for line in lines if line.get("type") != "agent_metadata"]
    make_folders(path.parent)
    if notes:
        note = {name: value for name, value in notes[-1].items() if name != "type"}
        write_private(path.with_suffix(".meta.json"), json.dumps(note))
    if said:
        _write(path, said)


def _append(book: Journal, lines: Iterable[JsonObject]) -> None:
    book.append(*map(UnknownEntry, lines))
    failed = book.unsaved
    book.close()
    if failed is not None:
        raise SessionError(f"The session can't be brought from the store: {failed}.")


def _read(path: Path) -> list[JsonObject]:
    with path.open("rb") as file:
        return [line for raw in file if (line := parse(raw)) is not None]


def _missing(local: Sequence[JsonObject], stored: Sequence[JsonObject]) -> list[JsonObject] | None:
    """Give the store's lines that the local file lacks at its end; None when each has lines the other lacks."""
    here, there = list(map(_name, local)), list(map(_name, stored))
    if set(there) <= set(here):
        return []
    if not set(here) <= set(there):
        return None
    known = set(here)
    first = next(place for place, name in enumerate(there) if name not in known)
    return list(stored[first:]) if set(there[first:]).isdisjoint(known) else None


def _name(line: JsonObject) -> str:
    """Tell lines apart: by their uuid, else by all they say."""
    uuid = line.get("uuid")
    if isinstance(uuid, str):
        return uuid
    return encode(UnknownEntry(dict(sorted(line.items())))).decode()


def _is_safe(subpath: str) -> bool:
    """Whether a subpath stays in the session's own folder of sub-agents."""
    parts = subpath.split("/")
    return len(parts) > 1 and parts[0] == FOLDER and all(map(_PART.fullmatch, parts))
