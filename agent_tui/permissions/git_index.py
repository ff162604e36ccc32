"""Which repositories stand inside another one, by its index: git looks into them too, with their own settings."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Final

from agent_tui.settings.plain import read_plain

MAX_BYTES: Final = 512 * 1024 * 1024
_LINK: Final = 0o160000.to_bytes(4, "big")
"""The mode of an entry that is a repository."""
_FIXED: Final = 40
"""Bytes of an entry before its hash; the mode is the seventh number of four bytes."""
_MODE: Final = slice(24, 28)
_EXTENDED: Final = 0x4000


def nested_repositories(index: Path) -> tuple[str, ...]:
    """Give the paths of the repositories in a repository, relative to its files. Blocks on the file.

    Raises:
        ValueError: the file can't be understood.
        OSError: it can't be read.
    """
    try:
        state = index.stat()
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return _nested(str(index), state.st_mtime_ns, state.st_size, state.st_ino)


@functools.lru_cache(maxsize=64)
def _nested(index: str, _changed: int, _size: int, _inode: int) -> tuple[str, ...]:
    data = read_plain(Path(index), MAX_BYTES)
    if data[:4] != b"DIRC":
        raise ValueError("it is no index")
    if b"link" in data[-4096:] and any(Path(index).parent.glob("sharedindex.*")):
        raise ValueError("it is split over files")
    if _LINK not in data:
        return ()
    sizes = (20, 32)  # SHA-1, SHA-256
    for size in sizes:
        try:
            return tuple(_links(data, size))
        except (ValueError, IndexError):
            continue
    raise ValueError("its entries are malformed")


def _links(data: bytes, hash_size: int) -> list[str]:
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    if version not in (2, 3, 4):
        raise ValueError("its version is unknown")
    found: list[str] = []
    at, before = 12, b""
    for _ in range(count):
        start, mode = at, data[at : at + _FIXED][_MODE]
        if len(mode) < 4 or mode[2] >> 4 not in (0o4, 0o10, 0o12, 0o16):
            raise ValueError("an entry of no known kind")
        at += _FIXED + hash_size
        flags = int.from_bytes(data[at : at + 2], "big")
        at += 4 if flags & _EXTENDED and version > 2 else 2
        kept = b""
        if version == 4:
            drop, at = _varint(data, at)
            kept = before[: len(before) - drop]
        end = data.index(b"\0", at)
        before = kept + data[at:end]
        at = end + 1
        if version < 4:
            at = start + (end - start + 8) // 8 * 8
        if mode == _LINK:
            found.append(os.fsdecode(before))
    if not _ends(data, at, hash_size):
        raise ValueError("what follows its entries is malformed")
    return found


def _ends(data: bytes, at: int, hash_size: int) -> bool:
    """Tell whether only extensions and the hash of the whole follow: so the entries were read by the right size."""
    while at + hash_size < len(data):
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "big")
    return at + hash_size == len(data)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    byte = data[at]
    value, at = byte & 127, at + 1
    while byte & 128:
        byte = data[at]
        value, at = ((value + 1) << 7) | (byte & 127), at + 1
    return value, at
