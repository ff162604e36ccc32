"""Where a running session can be met by other windows of the same person: a socket in a folder that is theirs alone.

The folder is private (mode 0700, checked to be ours and no link), the socket too, and each side asks the kernel who is at
the other end: nobody else gets to hear a session, and nobody else is taken for one.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import stat
import struct
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from agent_tui.settings.paths import Environment, root
from agent_tui.settings.private import OWNER_FOLDER, make_private_folder

MAX_PATH = 100
"""Bytes of a socket's path that every system takes (104 on some, 108 on others)."""
_NAME = "99999999-ffffff.sock"


def candidates(env: Environment) -> tuple[Path, ...]:
    """Name the folders where it may be, best first: the system's place for such, our own, the one for temporary files.

    Each belongs to one home of ours, so that two of them never see one another's sessions.
    """
    home = root(env)
    mark = hashlib.sha256(os.fsencode(home.absolute())).hexdigest()[:8]
    runtime = env.get("XDG_RUNTIME_DIR")
    found = [Path(runtime) / f"agent-tui-{mark}"] if runtime.startswith("/") else []
    found.append(home / "run")
    temporary = env.get("TMPDIR") or tempfile.gettempdir()
    found.append(Path(temporary) / f"agent-tui-{os.getuid()}-{mark}")
    return tuple(folder for folder in found if _fits(folder))


def new_socket_path(env: Environment) -> Path:
    """Make the folder and name a socket in it that is not there yet. Blocks on files.

    Raises:
        OSError: no folder can be used; the text says why.
    """
    why: OSError = FileNotFoundError("there is no folder for it whose path is short enough")
    for folder in candidates(env):
        if folder.parent != root(env) and not folder.parent.is_dir():
            continue  # the system's own places are not made by us
        try:
            make_private_folder(folder)
            _check(folder)
            _clear_dead(folder)
        except OSError as error:
            why = error
            continue
        return folder / f"{os.getpid()}-{secrets.token_hex(3)}.sock"
    raise why


def sockets(env: Environment) -> tuple[Path, ...]:
    """Name the sockets there are, the newest first. Blocks on files."""
    found: list[tuple[float, Path]] = []
    for folder in candidates(env):
        try:
            _check(folder)
            paths = list(folder.iterdir())
        except OSError:
            continue
        for path in paths:
            try:
                status = path.lstat()
            except OSError:
                continue
            if path.suffix == ".sock" and stat.S_ISSOCK(status.st_mode):
                found.append((status.st_mtime, path))
    return tuple(path for _, path in sorted(found, reverse=True))


def clear_away(path: Path) -> None:
    """Remove a socket that nobody listens at any more, and its folder, where that is a temporary one and empty now.

    Raises:
        OSError: the socket can't be removed.
    """
    path.unlink(missing_ok=True)
    if path.parent.name.startswith("agent-tui-"):
        with suppress(OSError):  # another session is there
            path.parent.rmdir()


def is_same_person(connection: socket.socket) -> bool:
    """Ask the kernel whether the other end of a connection is the same user; where it can't tell, the folder has to do."""
    uid = peer_uid(connection)
    return uid is None or uid == os.geteuid()


def peer_uid(connection: socket.socket) -> int | None:
    """Give the user at the other end, None where the system does not tell."""
    try:
        if sys.platform == "linux":
            size = struct.calcsize("3i")
            given = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
            return struct.unpack("3i", given)[1]
        if sys.platform == "darwin":
            given = connection.getsockopt(0, 1, 76)  # SOL_LOCAL, LOCAL_PEERCRED: struct xucred
            return struct.unpack_from("2I", given)[1]
    except OSError:
        return -1  # it could tell, and does not: nobody of ours
    return None


def _clear_dead(folder: Path) -> None:
    """Remove the sockets of processes that are gone: they were killed."""
    for path in folder.glob("*.sock"):
        pid = path.name.partition("-")[0]
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)
        except (ValueError, OverflowError, PermissionError):
            continue


def _fits(folder: Path) -> bool:
    return len(os.fsencode(folder / _NAME)) <= MAX_PATH


def _check(folder: Path) -> None:
    """Refuse a folder that somebody else could have made, or could reach into.

    Raises:
        PermissionError: it is a link, not ours, or open to others.
        OSError: it is not there.
    """
    status = folder.lstat()
    private = stat.S_IMODE(status.st_mode) & 0o777 == OWNER_FOLDER
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or not private:
        raise PermissionError(f"{folder} is not a folder of ours alone")
