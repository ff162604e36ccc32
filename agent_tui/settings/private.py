"""Files that are nobody's business: written whole or not at all, readable by their owner alone."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

OWNER_FILE = 0o600
OWNER_FOLDER = 0o700


def make_private_folder(folder: Path) -> None:
    """Make a folder and the missing ones above it, all with mode 0700; those that are there stay as they are.

    ``mkdir(parents=True)`` gives its mode to the last folder only.

    Raises:
        OSError: it can't be made.
    """
    missing = [one for one in (folder, *folder.parents) if not one.is_dir()]
    for one in reversed(missing):
        one.mkdir(mode=OWNER_FOLDER, exist_ok=True)


def private_opener(path: str, flags: int) -> int:
    """Open a file as ``open(..., opener=private_opener)`` wants it; a new one is its owner's alone."""
    return os.open(path, flags | os.O_CLOEXEC, OWNER_FILE)


def write_private(path: Path, text: str | bytes) -> None:
    """Write a file atomically with mode 0600, in a folder made with 0700.

    Raises:
        OSError: it can't be written; what was there before is still there.
    """
    make_private_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
