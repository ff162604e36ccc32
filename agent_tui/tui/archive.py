"""What was typed, kept on disk: prompts and the draft, written in order by one thread of its own."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from agent_tui.settings import typed as prompts
from agent_tui.settings.paths import Environment, input_history
from agent_tui.settings.typed import Typed
from agent_tui.tui import draft

log = logging.getLogger(__name__)
_T = TypeVar("_T")


class Archive:
    """The files of prompts and of the ``draft`` for one screen; nothing here makes the screen wait."""

    def __init__(self, env: Environment, cwd: Path) -> None:
        self._env = env
        self._cwd = cwd
        self.project = os.path.realpath(cwd)
        self._path = input_history(env)
        self._draft = draft.draft_file(env, cwd, os.getpid())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="typed")
        self._saved = ""

    async def load(self) -> list[Typed]:
        """Read the prompts typed before, oldest first; drafts left by ended screens are among them, newest."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._load)

    def keep(self, text: str, session: str = "") -> Typed:
        """Add a prompt to the history's file; give it as an entry."""
        typed = Typed(text, self.project, session, int(time.time() * 1000))
        self._thread.submit(_quietly, prompts.append, self._path, typed)
        return typed

    def save_draft(self, text: str) -> None:
        """Keep the unfinished prompt; empty removes it."""
        if text != self._saved:
            self._saved = text
            self._thread.submit(_quietly, draft.save, self._draft, text)

    def close(self) -> None:
        """Wait until all is written."""
        self._thread.shutdown(wait=True)

    def _load(self) -> list[Typed]:
        def keep(text: str) -> None:
            prompts.append(self._path, Typed(text, self.project, "", int(time.time() * 1000)))

        draft.hand_over(self._env, self._cwd, keep)
        return prompts.load(self._path)


def _quietly(write: Callable[[Path, _T], None], path: Path, what: _T) -> None:
    """Write; a disk that is full or read-only costs the history, never the session."""
    try:
        write(path, what)
    except OSError as error:
        log.warning("can't write %s: %s", path, error)
