"""A session that leaves nothing behind: its lines are held in memory, its further files in a folder that goes with it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from agent_tui.journal.entries import Entry


class UnsavedJournal:
    """Stands in for a ``Journal`` where nothing is to be written.

    Attributes:
        path: where it would be. Nothing is there, but what lies beside a journal may be: its folder is a temporary one.
    """

    def __init__(self, path: Path, entries: Iterable[Entry] = ()) -> None:
        self.path = path
        self._entries = list(entries)

    def stored(self) -> tuple[Entry, ...]:
        """Give what was appended."""
        return tuple(self._entries)

    def append(self, *entries: Entry) -> None:
        """Keep entries."""
        self._entries.extend(entries)

    async def sync(self) -> None:
        """Nothing has to survive."""

    def close(self) -> None:
        """Nothing is held."""


def temporary_folder() -> Path:
    """Make a folder for one session, for the owner only."""
    return Path(tempfile.mkdtemp(prefix="agent-tui-"))


def remove_folder(folder: Path) -> None:
    """Remove it with all that is in it, as far as that can be."""
    shutil.rmtree(folder, ignore_errors=True)
