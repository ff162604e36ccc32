"""The file of a journal: one writer, whole lines, nothing lost when the disk says no.

``append`` never raises: what can't be written is kept in order and tried again at the next append, and ``unsaved``
says why. The file appears with the first line, so a session that was only looked at leaves nothing behind.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio.to_thread

from agent_tui.journal.codec import encode, from_line, parse
from agent_tui.journal.entries import Entry
from agent_tui.journal.rewind import MARK, left_behind, remains
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import JournalError, SessionError

OWNER_FILE = 0o600
OWNER_FOLDER = 0o700

SCAN = 1 << 20
"""Bytes that are searched at a time."""

StateChanged = Callable[[str | None], None]


class Reading:
    """The entries of a file that count (``rewind.py``), read line by line each time it is iterated.

    ``damaged`` counts the lines that could not be read; it is right once the iteration has ended.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damaged = 0

    def __iter__(self) -> Iterator[Entry]:
        """Read.

        Raises:
            JournalError: the file can't be read.
        """
        return map(from_line, self.lines())

    def lines(self) -> Iterator[JsonObject]:
        """Read the entries as the JSON objects they are stored as, for those who copy them.

        Raises:
            JournalError: the file can't be read.
        """
        self.damaged = 0
        try:
            gone = _left_behind(self._path)
            with self._path.open("rb") as file:
                for place, raw in enumerate(file):
                    line = parse(raw)
                    if line is None:
                        self.damaged += bool(raw.strip())
                        continue
                    left = remains(line) if place in gone else line
                    if left is not None:
                        yield left
        except OSError as error:
            raise JournalError(f"Can't read the session in {self._path}: {why(error)}.") from error


def all_lines(path: Path) -> Iterator[JsonObject]:
    """Read every line of a file that can be read, also those that don't count.

    Raises:
        JournalError: the file can't be read.
    """
    try:
        with path.open("rb") as file:
            yield from (line for raw in file if (line := parse(raw)) is not None)
    except OSError as error:
        raise JournalError(f"Can't read the session in {path}: {why(error)}.") from error


def _left_behind(path: Path) -> frozenset[int]:
    """Find the lines that don't count; a file that never went back is only searched for a word, not parsed."""
    with path.open("rb") as file:
        end = b""
        while part := file.read(SCAN):
            end += part
            if MARK in end:
                break
            end = end[-len(MARK) :]
        else:
            return frozenset()
        file.seek(0)
        return left_behind(map(parse, file))


class Journal:
    """One session's file, held by this process alone.

    Attributes:
        path: where it is, or will be.
    """

    def __init__(self, path: Path, *, exists: bool, on_state: StateChanged | None = None) -> None:
        self.path = path
        self._exists = exists
        self._on_state = on_state
        self._fd: int | None = None
        self._pending: list[bytes] = []
        self._unsaved: str | None = None
        self._sync_failed = False
        self._cut_off = False
        self._told_replaced = False
        self._folder_synced = False

    @classmethod
    def create(cls, path: Path, *, on_state: StateChanged | None = None) -> Journal:
        """Begin a new session's journal; nothing is on disk until the first append.

        Args:
            path: where it shall be.
            on_state: told whenever ``unsaved`` changes.

        Raises:
            SessionError: there is a session of this name already.
        """
        if path.exists():
            raise SessionError(
                f"There is a session {path.stem} already; resume it, or take another id."
            )
        return cls(path, exists=False, on_state=on_state)

    @classmethod
    def open(cls, path: Path, *, on_state: StateChanged | None = None) -> Journal:
        """Take an existing journal for writing.

        A file that can only be read is taken too: the session then goes on unsaved.

        Raises:
            SessionError: there is no such session, or another process holds it.
        """
        journal = cls(path, exists=True, on_state=on_state)
        try:
            journal._attach()
        except FileNotFoundError as error:
            raise SessionError(f"There is no session {path.stem}.") from error
        except BlockingIOError as error:
            raise SessionError(
                f"Session {path.stem} is in use by another process. Wait until it has ended there, "
                "or start a new session or a fork of this one."
            ) from error
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise JournalError(f"Can't open the session in {path}: {why(error)}.") from error
        return journal

    @property
    def unsaved(self) -> str | None:
        """Why what was appended is not on disk; None when all is saved."""
        return self._unsaved

    def stored(self) -> Reading:
        """Give what the file holds; nothing when there is none yet."""
        return Reading(self.path if self._exists else Path(os.devnull))

    def append(self, *entries: Entry) -> None:
        """Write entries in one go, a line each; others who read the file see them when this returns."""
        self._pending.extend(encode(entry) for entry in entries)
        self._flush()

    async def sync(self) -> None:
        """Try again what is unsaved and make all of it survive a power cut."""
        self._flush()
        if self._fd is None:
            return
        try:
            await anyio.to_thread.run_sync(self._fsync, self._fd)
        except OSError as error:
            self._sync_failed = True
            self._report(why(error))
        else:
            self._sync_failed = False
            self._report(self._unsaved if self._pending else None)

    def close(self) -> None:
        """Try once more what is unsaved, and let go of the file."""
        self._flush()
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _fsync(self, fd: int) -> None:
        os.fsync(fd)
        if self._folder_synced:
            return
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        self._folder_synced = True

    def _flush(self) -> None:
        if not self._pending:
            return
        try:
            fd = self._attach()
            self._write(fd, b"".join(self._pending))
        except OSError as error:
            self._report(why(error))
            return
        self._pending.clear()
        if not self._sync_failed:
            self._report(None)

    def _report(self, unsaved: str | None) -> None:
        if unsaved != self._unsaved:
            self._unsaved = unsaved
            if self._on_state is not None:
                self._on_state(unsaved)

    def _attach(self) -> int:
        """Give the descriptor to write to: opened, locked, and still the file that is at ``path``."""
        if self._fd is None:
            self._fd = self._opened()
            self._exists = True
        elif not _is_at(self.path, self._fd):
            if not self._told_replaced:
                self._told_replaced = True
                raise OSError(errno.ESTALE, "its file was replaced or removed by another program")
            self._fd = self._moved_to_new_file(self._fd)
            self._told_replaced = False
        return self._fd

    def _opened(self) -> int:
        if not self._exists:
            make_folders(self.path.parent)
            fd = _open(self.path, os.O_CREAT | os.O_EXCL)
        else:
            fd = _open(self.path)
        self._cut_off = _ends_in_mid_line(fd)
        return fd

    def _moved_to_new_file(self, old: int) -> int:
        """Go on in the file that is at ``path`` now; lines of ours that it lacks at its end are put there first."""
        make_folders(self.path.parent)
        new = _open(self.path, os.O_CREAT)
        try:
            missing = _lines_after_common(_whole(old), _whole(new))
            self._cut_off = _ends_in_mid_line(new)
            if missing:
                self._write(new, missing)
        except OSError:
            os.close(new)
            raise
        os.close(old)
        self._folder_synced = False
        return new

    def _write(self, fd: int, data: bytes) -> None:
        """Write all of ``data`` at the end, or nothing: a part that got through is taken back."""
        start = os.fstat(fd).st_size
        text = b"\n" + data if self._cut_off else data
        written = 0
        try:
            while written < len(text):
                written += os.write(fd, text[written:] if written else text)
        except OSError:
            if written:
                self._take_back(fd, start)
            raise
        self._cut_off = False

    def _take_back(self, fd: int, start: int) -> None:
        try:
            os.ftruncate(fd, start)
        except OSError:
            self._cut_off = True


def add_lines(path: Path, *entries: Entry) -> None:
    """Write lines about a session at the end of its file, beside whoever holds it: whole, in one write.

    Raises:
        OSError: it can't be written, or is not there.
    """
    data = b"".join(map(encode, entries))
    fd = os.open(path, os.O_RDWR | os.O_APPEND)
    try:
        os.write(fd, b"\n" + data if _ends_in_mid_line(fd) else data)
    finally:
        os.close(fd)


def make_folders(folder: Path) -> None:
    """Make a folder and its missing parents, for the owner only."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=OWNER_FOLDER, exist_ok=True)


def why(error: OSError) -> str:
    """Say in a few words why a file could not be read or written."""
    if isinstance(error, BlockingIOError):
        return "it is in use by another process"
    return (error.strerror or str(error)).lower()


def _open(path: Path, flags: int = 0) -> int:
    """Open for appending and lock; ``BlockingIOError`` when another process has it."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    fd = os.open(path, os.O_RDWR | os.O_APPEND | flags, OWNER_FILE)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        raise
    except OSError:
        pass  # a file system without locks: better unlocked than no session
    return fd


def _is_at(path: Path, fd: int) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    here = os.fstat(fd)
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _ends_in_mid_line(fd: int) -> bool:
    size = os.fstat(fd).st_size
    return size > 0 and os.pread(fd, 1, size - 1) != b"\n"


def _whole(fd: int) -> bytes:
    parts: list[bytes] = []
    offset = 0
    while part := os.pread(fd, 1 << 20, offset):
        parts.append(part)
        offset += len(part)
    return b"".join(parts)


def _lines_after_common(ours: bytes, theirs: bytes) -> bytes:
    """Give our lines after the last one that they have too, compared by their bytes."""
    have = set(theirs.splitlines())
    lines = ours.splitlines()
    for index in range(len(lines) - 1, -1, -1):
        if lines[index] in have:
            lines = lines[index + 1 :]
            break
    return b"".join(line + b"\n" for line in lines if line.strip())
