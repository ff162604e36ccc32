"""Copies a session's lines to a program's store while it goes: after they are on this machine's disk, never instead.

Lines wait here and a task of the session's passes them on, so that no slow store holds up the session. What a store
refuses three times is dropped and said; what it doesn't answer in time is not sent again, as it may still arrive.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Literal, cast

import anyio

from agent_tui.engine.extras import Report
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.session_types import SessionKey, SessionStore, SessionStoreEntry
from agent_tui.sdk.store_calls import StoreError, StoreTimeoutError, asked

_log = logging.getLogger(__name__)

MAX_WAITING = 500
MAX_WAITING_BYTES = 1 << 20
"""More lines, or bytes of them, do not wait for the end of the turn."""

PAUSES = (0.2, 0.8)
"""Seconds before the second and the third attempt; there is no fourth."""

APPEND_SECONDS = 60.0


class StoreMirror:
    """An ``engine.extras.Mirror`` that writes to a ``SessionStore``.

    Args:
        store: the program's.
        project_key: under which project its keys are.
        flush_mode: ``batched`` passes lines on once a turn, or when many wait; ``eager`` as they come.
        on_error: told too what was dropped: its key, and why.
        append_seconds: how long one call of the store may take.
        pauses: seconds before each further attempt.
    """

    def __init__(
        self,
        store: SessionStore,
        project_key: str,
        flush_mode: Literal["batched", "eager"] = "batched",
        on_error: Callable[[SessionKey, str], None] | None = None,
        *,
        append_seconds: float = APPEND_SECONDS,
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        self._store = store
        self._project_key = project_key
        self._eager = flush_mode == "eager"
        self._on_error = on_error
        self._append_seconds = append_seconds
        self._pauses = pauses
        self._waiting: list[tuple[SessionKey, tuple[JsonObject, ...]]] = []
        self._count = 0
        self._bytes = 0
        self._taken = 0
        self._passed = 0
        self._wanted = anyio.Event()
        self._moved = anyio.Event()

    def lines(self, subpath: str | None, session_id: str, lines: tuple[JsonObject, ...]) -> None:
        """Take lines; never waits."""
        key: SessionKey = {"project_key": self._project_key, "session_id": session_id}
        if subpath is not None:
            key["subpath"] = subpath
        self._waiting.append((key, lines))
        self._taken += 1
        self._count += len(lines)
        if not self._eager:
            self._bytes += sum(len(json.dumps(line)) for line in lines)
        if self._eager or self._count > MAX_WAITING or self._bytes > MAX_WAITING_BYTES:
            self._wanted.set()

    async def flush(self) -> None:
        """Wait until all that was taken until now is passed on, or dropped."""
        taken = self._taken
        while self._passed < taken:
            self._wanted.set()
            await self._moved.wait()

    async def serve(self, report: Report) -> None:
        """Pass lines on, until cancelled; ``report`` says what was dropped."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            while self._waiting:
                await self._pass_on(report)

    async def _pass_on(self, report: Report) -> None:
        """Pass on what waits now: the lines of each key together, in the order they came."""
        waiting, self._waiting = self._waiting, []
        self._count = self._bytes = 0
        batches: dict[str, tuple[SessionKey, list[SessionStoreEntry]]] = {}
        for key, lines in waiting:
            _, entries = batches.setdefault(json.dumps(key), (key, []))
            entries.extend(cast("tuple[SessionStoreEntry, ...]", lines))
        for key, entries in batches.values():
            error = await self._append(key, entries)
            if error is not None:
                _log.warning("%d lines were not mirrored: %s", len(entries), error)
                if self._on_error is not None:
                    self._on_error(key, error)
                await report(cast("JsonObject", dict(key)), error)
        self._passed += len(waiting)
        moved, self._moved = self._moved, anyio.Event()
        moved.set()

    async def _append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> str | None:
        """Write a batch; say why it was given up, None when it is there."""
        pauses = iter(self._pauses)
        while True:
            try:
                await asked(
                    "append", lambda: self._store.append(key, entries), self._append_seconds
                )
            except StoreTimeoutError as error:
                return str(error)
            except StoreError as error:
                pause = next(pauses, None)
                if pause is None:
                    return str(error)
                await anyio.sleep(pause)
            else:
                return None
