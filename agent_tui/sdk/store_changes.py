"""Changes to sessions in a program's store, and local sessions put into one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import anyio.to_thread

from agent_tui.journal.codec import parse
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_changes import copied, tag_line, title_line
from agent_tui.sdk.session_files import need_uuid, needed_file, side_files, subpath_of
from agent_tui.sdk.session_types import (
    ForkSessionResult,
    SessionKey,
    SessionStore,
    SessionStoreEntry,
)
from agent_tui.sdk.sessions import note_of
from agent_tui.sdk.store_calls import offers
from agent_tui.sdk.store_sessions import as_lines, key_of

MAX_BATCH_BYTES = 1 << 20


async def rename_session_via_store(
    session_store: SessionStore, session_id: str, title: str, directory: str | None = None
) -> None:
    """Give a session a title.

    Raises:
        ValueError: the id is no UUID, or the title is blank.
    """
    need_uuid(session_id)
    line = cast("SessionStoreEntry", title_line(session_id, title))
    await session_store.append(key_of(session_id, directory), [line])


async def tag_session_via_store(
    session_store: SessionStore, session_id: str, tag: str | None, directory: str | None = None
) -> None:
    """Give a session a tag, or (None) take it away.

    Raises:
        ValueError: the id is no UUID, or nothing of the tag can be seen.
    """
    need_uuid(session_id)
    line = cast("SessionStoreEntry", tag_line(session_id, tag))
    await session_store.append(key_of(session_id, directory), [line])


async def delete_session_via_store(
    session_store: SessionStore, session_id: str, directory: str | None = None
) -> None:
    """Remove a session; a store that has no ``delete`` keeps it.

    Raises:
        ValueError: the id is no UUID.
    """
    need_uuid(session_id)
    if offers(session_store, "delete"):
        await session_store.delete(key_of(session_id, directory))


async def fork_session_via_store(
    session_store: SessionStore,
    session_id: str,
    directory: str | None = None,
    up_to_message_id: str | None = None,
    title: str | None = None,
) -> ForkSessionResult:
    """Copy a session under a new id and with new names for its lines.

    Raises:
        ValueError: an id is no UUID or no line of the session, or nothing was said in it.
        FileNotFoundError: the store has no such session.
    """
    need_uuid(session_id)
    if up_to_message_id is not None:
        need_uuid(up_to_message_id, "message id")
    loaded = await session_store.load(key_of(session_id, directory))
    if not loaded:
        raise FileNotFoundError(f"The store has no session {session_id}.")
    new_id, lines = copied(as_lines(loaded), session_id, up_to_message_id, title)
    entries = cast("list[SessionStoreEntry]", lines)
    await session_store.append(key_of(new_id, directory), entries)
    return ForkSessionResult(new_id)


async def import_session_to_store(
    session_id: str,
    store: SessionStore,
    *,
    directory: str | None = None,
    include_subagents: bool = True,
    batch_size: int = 500,
) -> None:
    """Put a local session into a store, as a mirror would have; doing it again adds nothing to a store that knows uuids.

    Args:
        session_id: which.
        store: where to.
        directory: of which project; None looks in all.
        include_subagents: its sub-agents too.
        batch_size: lines in one call of the store; less than 1 is the usual 500. A call has no more than 1 MiB of
            them, or one line.

    Raises:
        ValueError: the id is no UUID.
        FileNotFoundError: there is no such session.
    """
    path = needed_file(session_id, directory)
    key: SessionKey = {"project_key": path.parent.name, "session_id": session_id}
    size = batch_size if batch_size > 0 else 500
    await _import(store, key, path, size)
    if not include_subagents:
        return
    for side, note in await anyio.to_thread.run_sync(_sides, path):
        side_key: SessionKey = {**key, "subpath": subpath_of(path, side)}
        if note:
            line: JsonObject = {"type": "agent_metadata", **note}
            await store.append(side_key, [cast("SessionStoreEntry", line)])
        await _import(store, side_key, side, size)


async def _import(store: SessionStore, key: SessionKey, path: Path, size: int) -> None:
    batches = _batches(path, size)
    while batch := await anyio.to_thread.run_sync(next, batches, None):
        await store.append(key, cast("list[SessionStoreEntry]", batch))


def _sides(path: Path) -> list[tuple[Path, JsonObject]]:
    """Give the sub-agents' journals of a session, each with the note beside it."""
    return [(side, note_of(side)) for side in side_files(path).values()]


def _batches(path: Path, size: int) -> Iterator[list[JsonObject]]:
    batch: list[JsonObject] = []
    room = MAX_BATCH_BYTES
    with path.open("rb") as file:
        for raw in file:
            line = parse(raw)
            if line is None or not isinstance(line.get("type"), str):
                continue
            if batch and (len(batch) >= size or len(raw) > room):
                yield batch
                batch, room = [], MAX_BATCH_BYTES
            batch.append(line)
            room -= len(raw)
    if batch:
        yield batch
