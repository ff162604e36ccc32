"""Pictures that a person puts into a prompt: known by their first bytes, with their size where the head tells it.

Nothing is decoded here; what is too large is made smaller before it goes to the model.
"""

from __future__ import annotations

import struct
from pathlib import Path

from agent_tui.tui.chips import Picture

MAX_BYTES = 24 * 1024 * 1024
"""A larger file is not taken: it would have to be held and handed on whole."""
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})


class PictureError(ValueError):
    """It can't be put in; the text says why."""


def read_file(path: Path) -> Picture:
    """Read a picture from a file; blocks.

    Raises:
        PictureError: it can't be read, is too large or no picture that a model can be shown.
    """
    try:
        if not path.is_file():
            raise PictureError(f"{path} is no file.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PictureError(f"{path} can't be read: {error.strerror}.") from error
    if len(data) > MAX_BYTES:
        raise PictureError(f"{path} is larger than {MAX_BYTES // (1024 * 1024)} MB.")
    return known(data, str(path))


def known(data: bytes, name: str) -> Picture:
    """Make a picture of bytes; ``name`` says in an error what they are.

    Raises:
        PictureError: they are none.
    """
    for kind, first, size in _KINDS:
        if data.startswith(first) and (kind != "image/webp" or data[8:12] == b"WEBP"):
            try:
                width, height = size(data)
            except (struct.error, IndexError):
                width, height = 0, 0
            return Picture(data, kind, width, height)
    raise PictureError(f"{name} is no picture that can be shown (PNG, JPEG, GIF, WebP).")


def _png(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _gif(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack("<HH", data[6:10])
    return width, height


def _jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while data[at] == 0xFF:
        mark = data[at + 1]
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        if mark == 0xFF:
            at += 1
            continue
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        at += 2 + length
    return 0, 0


def _webp(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8X":
            width = int.from_bytes(data[24:27], "little") + 1
            return width, int.from_bytes(data[27:30], "little") + 1
        case b"VP8L":
            (bits,) = struct.unpack("<I", data[21:25])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
        case _:
            return 0, 0


_KINDS = (
    ("image/png", b"\x89PNG\r\n\x1a\n", _png),
    ("image/jpeg", b"\xff\xd8\xff", _jpeg),
    ("image/gif", b"GIF87a", _gif),
    ("image/gif", b"GIF89a", _gif),
    ("image/webp", b"RIFF", _webp),
)
