"""What files were before the agent changed them, kept so that it can be put back; written before the change is made.

The bytes of a file are kept once a prompt, and again where somebody else changed it in between. What can't be kept holds
up nothing: the change is made, and the person is told that there is no way back from it.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import anyio
from anyio import to_thread

from agent_tui.journal.entries import FileChangedEntry
from agent_tui.journal.kept_files import KeptFiles
from agent_tui.loop.record import Recorder
from agent_tui.machine.file_states import Looked, look
from agent_tui.protocol.file_states import ChangedBy, FileState

MOST_IN_FOLDER = 200
"""A folder that a command removes or moves is followed file by file up to so many; a larger one is not followed."""

LOST = "{path} is changed without a way back: what it was could not be kept ({why})."

T = TypeVar("T")


class FileHistory:
    """One session's.

    Args:
        record: the session's own writer, also for what sub-agents change.
        folder: where bytes are kept now; ``/clear`` moves it.
    """

    def __init__(self, record: Recorder, folder: Callable[[], Path]) -> None:
        self._record = record
        self._folder = folder
        self._lock = anyio.Lock()
        self._kept = KeptFiles(folder())
        self._prompt = ("", "")
        self._newest: dict[str, FileChangedEntry] = {}

    @property
    def kept(self) -> KeptFiles:
        """The bytes that are kept."""
        if self._kept.folder != self._folder():
            self._kept = KeptFiles(self._folder())
        return self._kept

    def keep_anew(self) -> None:
        """Keep every file again that is changed from here on: the conversation went back."""
        self._prompt = ("", "")

    async def writing(self, path: str, after: FileState, make: Callable[[], Awaitable[T]]) -> T:
        """Keep what stands at ``path``, then have it changed by ``make``.

        Args:
            path: absolute, links resolved.
            after: what will stand there; its mode is the one that is there.
            make: changes it.
        """
        async with self._lock:
            looked = await to_thread.run_sync(look, path)
            await self._note(path, looked, replace(after, mode=looked.state.mode), "tool")
            return await make()

    async def before_command(self, paths: Mapping[str, bool]) -> dict[str, FileState]:
        """Keep what a command may be about to change; give what stands there.

        Args:
            paths: those it names, and whether it removes them: then a folder is followed, too.
        """
        async with self._lock:
            found = await to_thread.run_sync(_spread, paths)
            for path, looked in found.items():
                await self._note(path, looked, None, "command")
            return {path: looked.state for path, looked in found.items()}

    async def after_command(self, before: Mapping[str, FileState]) -> None:
        """Note what a command has changed of it."""
        async with self._lock:
            now = await to_thread.run_sync(lambda: {path: look(path).state for path in before})
            for path, state in now.items():
                if state != before[path] and state.what != "other":
                    self._line(path, before[path], state, "command")

    async def replacing(
        self,
        path: str,
        looked: Looked,
        after: FileState,
        put: Callable[[], FileState],
        *,
        by: ChangedBy,
        group: str = "",
    ) -> None:
        """Keep what ``looked`` found at ``path``, then have it replaced by ``put``, which blocks.

        Raises:
            PortError: it can't be.
        """
        async with self._lock:
            await self._note(path, looked, after, by, group)
            await to_thread.run_sync(put)

    async def _note(
        self,
        path: str,
        looked: Looked,
        after: FileState | None,
        by: ChangedBy,
        group: str = "",
    ) -> None:
        if looked.state.what == "other":
            return
        kept, why = await self._keep(path, looked, always=by in ("review", "rewind"))
        self._line(path, looked.state, after, by, kept=kept, why=why, group=group)
        if why:
            shown = os.fsencode(path).decode("utf-8", "backslashreplace")
            await self._record.notice(LOST.format(path=shown, why=why), "warning")

    async def _keep(self, path: str, looked: Looked, *, always: bool) -> tuple[bool, str]:
        """Keep what was there if it is to be kept; tell whether it is, and why not if it should be."""
        state = looked.state
        if state.what != "file":
            return True, ""
        if not always and not self._is_new(path, state):
            return False, ""
        if looked.data is None:
            return False, looked.why
        try:
            await to_thread.run_sync(self.kept.put, state.digest, looked.data)
        except OSError as error:
            return False, (error.strerror or str(error)).lower()
        return True, ""

    def _is_new(self, path: str, state: FileState) -> bool:
        """Tell whether this is the file's first change since the prompt, or somebody else has changed it since ours."""
        conversation = self._record.conversation
        prompt = (self._record.session_id, conversation.last_prompt_uuid or "")
        if prompt != self._prompt:
            self._prompt = prompt
            self._newest = {}
        newest = self._newest.get(path)
        return newest is None or not (
            state.holds_same(newest.after) or state.holds_same(newest.before)
        )

    def _line(
        self,
        path: str,
        before: FileState,
        after: FileState | None,
        by: ChangedBy,
        *,
        kept: bool = False,
        why: str = "",
        group: str = "",
    ) -> None:
        conversation = self._record.conversation
        entry = FileChangedEntry(
            self._record.header(),
            path,
            before,
            after,
            kept,
            why,
            by,
            conversation.last_prompt_uuid or "",
            conversation.turns,
            group,
        )
        self._record.write(entry)
        self._newest[path] = entry


def _spread(paths: Mapping[str, bool]) -> dict[str, Looked]:
    """Look at what a command names: the links it leads through resolved, folders that are to go file by file."""
    found: dict[str, Looked] = {}
    for path, removes in paths.items():
        folder, name = os.path.split(path.rstrip("/"))
        if name in ("", ".", ".."):
            continue
        real = f"{os.path.realpath(folder).rstrip('/')}/{name}"
        looked = look(real)
        if looked.state.what == "other" and removes:
            found |= {inner: look(inner) for inner in _files_below(real)}
        found[real] = looked
        if looked.state.what == "link" and not removes:  # it is written through
            target = os.path.realpath(real)
            found[target] = look(target)
    return {path: looked for path, looked in found.items() if looked.state.what != "other"}


def _files_below(folder: str) -> list[str]:
    found: list[str] = []
    for where, _, names in os.walk(folder):
        found += (f"{where}/{name}" for name in names)
        if len(found) > MOST_IN_FOLDER:
            return []
    return found
