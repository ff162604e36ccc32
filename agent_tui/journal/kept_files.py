"""The bytes of files from before they were changed, beside a session's journal: each content once, named by its sha256.

A kept file is its owner's alone, whatever the mode of the file it was taken from: that one's mode stands in the journal.
"""

from __future__ import annotations

import errno
import hashlib
from pathlib import Path

from agent_tui.settings.private import write_private

FOLDER = "file-history"
MAX_ALL = 1024 * 1024 * 1024
"""So many bytes are kept for one session."""


def kept_folder(journal: Path) -> Path:
    """Where the kept files of a session are; it may not be there."""
    return journal.with_suffix("") / FOLDER


class KeptFiles:
    """What is kept of one session's files. Blocks on files."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_ALL) -> None:
        self._folder = folder
        self._max = max_bytes
        self._used: int | None = None

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self._folder

    def put(self, digest: str, data: bytes) -> None:
        """Keep a file's bytes; they survive a power cut when this returns.

        Raises:
            OSError: they can't be written, or there is no room for more.
        """
        path = self._folder / digest
        if path.is_file():
            return
        if self._used is None:
            self._used = _size(self._folder)
        if self._used + len(data) > self._max:
            limit = self._max // (1024 * 1024)
            raise OSError(errno.EDQUOT, f"the session keeps {limit} MB of files already")
        write_private(path, data)
        self._used += len(data)

    def get(self, digest: str) -> bytes | None:
        """Give kept bytes; None where they are not there, or not what they were."""
        try:
            data = (self._folder / digest).read_bytes()
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest() == digest else None


def _size(folder: Path) -> int:
    try:
        return sum(one.stat().st_size for one in folder.iterdir())
    except OSError:
        return 0
