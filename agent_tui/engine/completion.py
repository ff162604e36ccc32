"""Answers ``Complete``: files of the project after ``@``, commands after ``/``.

The list of files is made once, step by step, when it is first asked for; until it is complete the answers say
``partial``. No file is opened for it, and it is bounded. Files that were used lately come first.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import anyio

from agent_tui.engine.ranking import Match, Ranker
from agent_tui.machine.environment import BARE
from agent_tui.machine.search import find_ripgrep
from agent_tui.protocol.queries import Completion, Completions

MAX_FILES = 200_000
MAX_RECENT = 30
SLICE = 2_000
FIRST_ANSWER_SECONDS = 0.15
"""The first answer waits this long for the first files."""
STALE_SECONDS = 20.0
"""A list older than this is made again at the next question."""
SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache"})


class FileIndex:
    """The files and folders below ``cwd``; ``serve`` must run in a task group for it to fill.

    ``used`` gives the absolute paths of files that the session has worked with, the last one last.
    """

    def __init__(self, cwd: Path, used: Callable[[], Iterable[str]] = tuple) -> None:
        self._cwd = cwd
        self._used = used
        self._ranker = Ranker()
        self._wanted = anyio.Event()
        self._some = anyio.Event()
        self._complete = False
        self._made_at = 0.0

    async def serve(self) -> None:
        """List the files whenever they are wanted and not fresh."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            if self._complete and anyio.current_time() - self._made_at < STALE_SECONDS:
                continue
            await self._fill()

    async def complete(self, text: str, limit: int, recent: tuple[str, ...] = ()) -> Completions:
        """Give what ``text`` (behind the ``@``) could mean; ``recent`` were mentioned lately, the last one first."""
        self._wanted.set()
        if not self._some.is_set():
            with anyio.move_on_after(FIRST_ANSWER_SECONDS):
                await self._some.wait()
        ranker, complete = self._ranker, self._complete
        lately = (*self._worked_with(), *recent)
        matches = await anyio.to_thread.run_sync(self._search, ranker, text, limit, lately)
        items = tuple(Completion(match.path, "", match.at) for match in matches)
        return Completions(items, partial=not complete)

    def _worked_with(self) -> list[str]:
        """Give the session's files as the list has them, the last one first."""
        folder = f"{self._cwd}/"
        files = [path.removeprefix(folder) for path in self._used() if path.startswith(folder)]
        return files[: -MAX_RECENT - 1 : -1]

    def _search(
        self, ranker: Ranker, text: str, limit: int, recent: tuple[str, ...]
    ) -> list[Match]:
        there = [path for path in dict.fromkeys(recent) if os.path.lexists(self._cwd / path)]
        return ranker.search(text, limit, there[:MAX_RECENT])

    async def _fill(self) -> None:
        fresh = Ranker()
        if not self._complete:
            self._ranker = fresh  # grow in sight the first time, swap when done later on
        program = find_ripgrep()
        if program is not None and await self._by_ripgrep(program, fresh):
            pass
        else:
            await self._by_walking(fresh)
        await anyio.to_thread.run_sync(fresh.settle)
        self._ranker, self._complete = fresh, True
        self._made_at = anyio.current_time()
        self._some.set()

    async def _by_ripgrep(self, program: Path, ranker: Ranker) -> bool:
        command = [
            str(program),
            "--no-config",
            "--files",
            "--hidden",
            "--glob",
            "!.git",
            "--null",
            "--no-messages",
        ]
        try:
            process = await anyio.open_process(
                command,
                cwd=self._cwd,
                env=BARE,
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return False
        folders: set[str] = set()
        rest = b""
        async with process:
            assert process.stdout is not None
            async for chunk in process.stdout:
                *names, rest = (rest + chunk).split(b"\0")
                self._take(ranker, (os.fsdecode(name) for name in names), folders)
                await anyio.lowlevel.checkpoint()
                if len(ranker) >= MAX_FILES:
                    process.kill()
                    break
            await process.wait()
        return True

    def _take(self, ranker: Ranker, files: Iterable[str], folders: set[str]) -> None:
        fresh: list[str] = []
        for file in files:
            folder = file.rpartition("/")[0]
            while folder and folder not in folders:
                folders.add(folder)
                fresh.append(folder + "/")
                folder = folder.rpartition("/")[0]
            fresh.append(file)
        if fresh:
            ranker.add(fresh[: MAX_FILES - len(ranker)])
            self._some.set()

    async def _by_walking(self, ranker: Ranker) -> None:
        folders: set[str] = set()
        todo = [""]
        while todo and len(ranker) < MAX_FILES:
            batch: list[str] = []
            while todo and len(batch) < SLICE:
                files, below = await anyio.to_thread.run_sync(_listing, self._cwd, todo.pop())
                batch.extend(files)
                todo.extend(below)
            self._take(ranker, batch, folders)


def _listing(root: Path, folder: str) -> tuple[list[str], list[str]]:
    files: list[str] = []
    below: list[str] = []
    try:
        entries = list(os.scandir(root / folder))
    except OSError:
        return files, below
    for entry in entries:
        name = f"{folder}/{entry.name}" if folder else entry.name
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in SKIPPED:
                below.append(name)
        else:
            files.append(name)
    return files, below
