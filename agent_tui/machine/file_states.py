"""Looks at what stands at a path without following a last link, and puts an earlier state back there.

Nothing is put back over what is not as it was when it was looked at.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from agent_tui.machine.files import read_regular, write_file
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.file_states import ABSENT, FileState

MAX_BYTES = 32 * 1024 * 1024
"""The bytes of a larger file are not looked at."""

OTHERWISE = "Something else is there by now."


@dataclass(frozen=True, slots=True)
class Looked:
    """A state and the bytes of a file; without them ``why`` says why they are not here."""

    state: FileState
    data: bytes | None = None
    why: str = ""


def look(path: str, max_bytes: int = MAX_BYTES) -> Looked:
    """Say what stands at ``path``. Blocks on files, never waits for a pipe or a device."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return Looked(ABSENT)
    except (OSError, ValueError) as error:
        return Looked(FileState("other"), why=str(error))
    mode = stat.S_IMODE(found.st_mode)
    if stat.S_ISLNK(found.st_mode):
        return Looked(FileState("link", target=os.readlink(path)))  # noqa: PTH115
    if not stat.S_ISREG(found.st_mode):
        return Looked(FileState("other", mode=mode), why="it is no regular file")
    if found.st_size > max_bytes:
        why = f"it is larger than {max_bytes // (1024 * 1024)} MB"
        return Looked(FileState("file", mode=mode, size=found.st_size), why=why)
    try:
        read = read_regular(path, max_bytes)
    except PortError as error:
        state = FileState("file", mode=mode, size=found.st_size)
        return Looked(state, why=str(error).rstrip("."))
    return Looked(FileState("file", read.digest, mode, len(read.data)), read.data)


def put_back(path: str, wanted: FileState, data: bytes | None, *, now: FileState) -> FileState:
    """Make ``path`` what it was; gives what stands there then. Blocks on files.

    A file that is there keeps its owner and its other names; its mode becomes the wanted one.

    Args:
        path: where; not followed if it is a link by now.
        wanted: the state to come to.
        data: a file's bytes.
        now: what was there when it was decided; with anything else nothing is done.

    Raises:
        PortError: something else is there by now, or it can't be written.
    """
    if now.what == "other" or not look(path).state.holds_same(now):
        raise PortError(OTHERWISE)
    try:
        if wanted.what == "file" and data is not None:
            _write(path, wanted, data, now)
        elif wanted.what == "absent":
            os.unlink(path)  # noqa: PTH108 - str paths keep undecodable names
        elif wanted.what == "link" and now.what == "absent":
            os.symlink(wanted.target, path)  # noqa: PTH211
        else:
            raise PortError(OTHERWISE)
    except OSError as error:
        raise PortError(f"It can't be put back: {error.strerror or error}.") from error
    return look(path).state


def _write(path: str, wanted: FileState, data: bytes, now: FileState) -> None:
    if now.what == "link":
        raise PortError(OTHERWISE)
    if now.what == "file" and now.digest == wanted.digest:
        os.chmod(path, wanted.mode)  # noqa: PTH101
        return
    replaces = now.digest if now.what == "file" else None
    write_file(path, data, replaces=replaces, mode=wanted.mode)
