"""Real files behind the ``Files`` port: reads that can't hang, writes that lose nothing, the memory of what was read."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from functools import partial
from itertools import islice
from pathlib import Path

from anyio import to_thread
from rapidfuzz import process

from agent_tui.machine.seen import Memory
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import FileBytes, Seen

MAX_BYTES = 64 * 1024 * 1024
MAX_NAMES = 2_000
"""So many names of a folder are looked at for one like a name that isn't there."""

_NO_TEMPORARY = (errno.EACCES, errno.EPERM, errno.EROFS)
"""Why a temporary file could not be made beside the real one though the real one may still be writable."""


class RealFiles:
    """The ``Files`` port on this machine. Blocking work runs in worker threads."""

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._memory = Memory()

    async def read(self, path: str, *, max_bytes: int | None = None) -> FileBytes:
        """Read a regular file whole; see the port."""
        return await to_thread.run_sync(read_regular, path, max_bytes or self._max_bytes)

    async def find(self, path: str, *, max_bytes: int | None = None) -> FileBytes | None:
        """Read as ``read`` does; None where there is nothing."""
        return await to_thread.run_sync(_find, path, max_bytes or self._max_bytes)

    async def write(self, path: str, data: bytes, *, replaces: str | None) -> FileBytes:
        """Write a file whole; see the port."""
        return await to_thread.run_sync(partial(write_file, path, data, replaces=replaces))

    def remember(self, path: str, seen: Seen) -> None:
        """Note that the model was shown this."""
        self._memory.add(os.path.realpath(path), seen)

    def recall(self, path: str) -> Seen | None:
        """Say what the model was shown of a file."""
        return self._memory.get(os.path.realpath(path))

    def seen(self) -> dict[str, Seen]:
        """Give the whole memory by real path."""
        return self._memory.all()


def digest_of(data: bytes) -> str:
    """Name bytes by their sha256."""
    return hashlib.sha256(data).hexdigest()


def read_regular(path: str, max_bytes: int) -> FileBytes:
    """Read a regular file; a pipe, a device, a socket or a folder is refused without being waited for.

    Raises:
        PortError: it can't be read, or is larger than ``max_bytes``.
    """
    try:
        # Looked at before it is opened: opening alone can do something to a device.
        _require_regular(os.stat(path), path)  # noqa: PTH116 - str paths keep undecodable names
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        with open(handle, "rb", buffering=0) as file:  # noqa: PTH123
            found = os.fstat(handle)
            _require_regular(found, path)
            if found.st_size > max_bytes:
                raise PortError(_too_big(found.st_size, max_bytes))
            data = _read_up_to(file.fileno(), max_bytes)
    except FileNotFoundError as error:
        raise PortError(f"The file does not exist.{_near(path)}") from error
    except (OSError, ValueError) as error:
        raise PortError(_why(error, "read")) from error
    return FileBytes(path, os.path.realpath(path), data, digest_of(data))


def _read_up_to(handle: int, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := os.read(handle, 1 << 20):
        parts.append(part)
        size += len(part)
        if size > max_bytes:  # a file of /proc, or one that grows, says nothing of its size
            raise PortError(_too_big(size, max_bytes))
    return b"".join(parts)


def _find(path: str, max_bytes: int) -> FileBytes | None:
    if not os.path.lexists(path) or not Path(path).exists():
        return None
    return read_regular(path, max_bytes)


def write_file(
    path: str, data: bytes, *, replaces: str | None, mode: int | None = None
) -> FileBytes:
    """Write a file whole, as the port says. Blocks.

    Args:
        path: where.
        data: the new bytes.
        replaces: digest of what is there, None for nothing.
        mode: its permission bits; None: those it has, or those that new files get.

    Raises:
        PortError: something else is there by now, or it can't be written.
    """
    real = os.path.realpath(path)
    try:
        _require_unchanged(real, replaces)
        if replaces is None:
            os.makedirs(os.path.dirname(real), exist_ok=True)  # noqa: PTH103, PTH120
        elif not os.access(real, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PortError("The file is write-protected.")
        if not _replace(real, data, replaces, mode):
            _overwrite(real, data)
            if mode is not None:
                os.chmod(real, mode)  # noqa: PTH101
    except (OSError, ValueError) as error:
        raise PortError(_why(error, "written")) from error
    return FileBytes(path, real, data, digest_of(data))


def _require_unchanged(real: str, replaces: str | None) -> None:
    try:
        size = os.stat(real).st_size  # noqa: PTH116
    except FileNotFoundError:
        if replaces is not None:
            raise PortError("The file is gone: it was removed in the meantime.") from None
        return
    if replaces is None:
        raise PortError("There is a file at this path by now; read it first.")
    if read_regular(real, max(size, 1)).digest != replaces:
        raise PortError("The file changed in the meantime; read it again.")


def _replace(real: str, data: bytes, replaces: str | None, mode: int | None) -> bool:
    """Put a finished temporary file in the place of the real one; False where only writing into it will do."""
    before = os.stat(real) if replaces is not None else None  # noqa: PTH116
    if before is not None and before.st_nlink > 1:
        return False  # its other names are to see the change
    temporary = f"{os.path.dirname(real)}/.{secrets.token_hex(8)}.tmp"  # noqa: PTH120
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        handle = os.open(temporary, flags, 0o666 if mode is None else 0o600)
    except OSError as error:
        if error.errno in _NO_TEMPORARY and before is not None:
            return False
        raise
    try:
        with open(handle, "wb") as file:  # noqa: PTH123
            if before is not None and not _take_over(handle, real, before):
                return False
            file.write(data)
            file.flush()
            if mode is not None:
                os.fchmod(handle, mode)
            os.fsync(handle)
        _require_unchanged(real, replaces)
        os.replace(temporary, real)  # noqa: PTH105
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)  # noqa: PTH108
    _sync_folder(os.path.dirname(real))  # noqa: PTH120
    return True


def _take_over(handle: int, real: str, before: os.stat_result) -> bool:
    """Give the new file the owner, mode and attributes of the old; False if the owner can't be kept."""
    now = os.fstat(handle)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.fchown(handle, before.st_uid, before.st_gid)
        except OSError:
            return False
    os.fchmod(handle, stat.S_IMODE(before.st_mode))
    if hasattr(os, "listxattr"):
        try:
            for name in os.listxattr(real):
                os.setxattr(handle, name, os.getxattr(real, name))
        except OSError:
            pass  # a file system without them, or one we may not set: the content matters more
    return True


def _overwrite(real: str, data: bytes) -> None:
    """Write into the file itself. When that fails half way (a full disk), the old bytes are put back."""
    handle = os.open(real, os.O_RDWR | os.O_CLOEXEC)
    with open(handle, "r+b") as file:  # noqa: PTH123
        old = file.read()
        try:
            _fill(file.fileno(), data)
        except OSError:
            _fill(file.fileno(), old)
            raise


def _fill(handle: int, data: bytes) -> None:
    os.lseek(handle, 0, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
    os.ftruncate(handle, len(data))
    os.fsync(handle)


def _sync_folder(folder: str) -> None:
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return  # a folder we may write to but not read
    try:
        os.fsync(handle)
    except OSError:
        pass  # not every file system can sync a folder
    finally:
        os.close(handle)


def _require_regular(found: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise PortError("This is a folder, not a regular file: list it with `ls` or Glob.")
    if not stat.S_ISREG(found.st_mode):
        kind = "a pipe" if stat.S_ISFIFO(found.st_mode) else "a device or a socket"
        raise PortError(f"This is {kind}, not a regular file: it can't be read or written here.")


def _near(path: str) -> str:
    """Ask whether a file of a similar name in the same folder is meant."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, MAX_NAMES)]
    except OSError:
        return " Its folder does not exist either."
    likely = process.extract(name, names, limit=3, score_cutoff=80)
    if not likely:
        return ""
    shown = ", ".join(
        os.fsencode(f"{folder}/{found}").decode("utf-8", "backslashreplace")
        for found, _, _ in likely
    )
    return f" Did you mean {shown}?"


def _too_big(size: int, limit: int) -> str:
    return (
        f"The file is too big: {size:,} bytes, the limit is {limit:,}. Look at parts of it with "
        "Bash (`sed -n '1,200p'`, `grep -n`, `tail`)."
    )


def _why(error: OSError | ValueError, done: str) -> str:
    if isinstance(error, FileNotFoundError):
        return "The file does not exist."
    if isinstance(error, PermissionError):
        return f"The file can't be {done}: permission denied."
    if isinstance(error, NotADirectoryError):
        return "The file does not exist: a part of its path is a file, not a folder."
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"The file can't be {done}: {reason or type(error).__name__}."
