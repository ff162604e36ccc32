"""Ports that keep what files were before they let them be changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import anyio
from anyio import to_thread

from agent_tui.loop.file_history import FileHistory
from agent_tui.machine.files import digest_of
from agent_tui.protocol.file_states import FileState
from agent_tui.protocol.ports import (
    FileBytes,
    Files,
    OnOutput,
    Ports,
    Seen,
    Shell,
    ShellCommand,
    ShellResult,
)

Named = Callable[[str, str], Mapping[str, bool]]
"""Gives the paths that a line, run in a folder, names to be written, and (True) to be removed; blocks."""


class KeepingFiles:
    """The ``Files`` port; what it writes can be taken back."""

    def __init__(self, files: Files, history: FileHistory) -> None:
        self._files = files
        self._history = history

    async def read(self, path: str, *, max_bytes: int | None = None) -> FileBytes:
        """Read a regular file whole; see the port."""
        return await self._files.read(path, max_bytes=max_bytes)

    async def find(self, path: str, *, max_bytes: int | None = None) -> FileBytes | None:
        """Read as ``read`` does; None where there is nothing."""
        return await self._files.find(path, max_bytes=max_bytes)

    async def write(self, path: str, data: bytes, *, replaces: str | None) -> FileBytes:
        """Keep what is there, then write; see the port."""
        real = await to_thread.run_sync(os.path.realpath, path)
        digest = await to_thread.run_sync(digest_of, data)
        after = FileState("file", digest, 0, len(data))
        make = partial(self._files.write, path, data, replaces=replaces)
        return await self._history.writing(real, after, make)

    def remember(self, path: str, seen: Seen) -> None:
        """Note that the model was shown this."""
        self._files.remember(path, seen)

    def recall(self, path: str) -> Seen | None:
        """Say what the model was shown of a file."""
        return self._files.recall(path)

    def seen(self) -> dict[str, Seen]:
        """Give the whole memory by real path."""
        return self._files.seen()


class KeepingShell:
    """The ``Shell`` port; what a line names to be changed can be put back."""

    def __init__(self, shell: Shell, history: FileHistory, named: Named) -> None:
        self._shell = shell
        self._history = history
        self._named = named

    @property
    def cwd(self) -> str:
        """Where the next command will run."""
        return self._shell.cwd

    async def run(self, command: ShellCommand, on_output: OnOutput) -> ShellResult:
        """Keep what the line is about to change, then run it; see the port."""
        named = await to_thread.run_sync(self._named, command.line, command.cwd or self.cwd)
        if not named:
            return await self._shell.run(command, on_output)
        before = await self._history.before_command(named)
        try:
            return await self._shell.run(command, on_output)
        finally:
            with anyio.CancelScope(shield=True):
                await self._history.after_command(before)

    async def aclose(self) -> None:
        """End what finished commands left running."""
        await self._shell.aclose()


def keeping(ports: Ports, history: FileHistory | None, named: Named) -> Ports:
    """Give a world in which what is changed of files can be taken back; the same one without a history."""
    if history is None:
        return ports
    files = KeepingFiles(ports.files, history)
    return replace(ports, files=files, shell=KeepingShell(ports.shell, history, named))
