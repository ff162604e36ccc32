"""Pictures for the model: known by their first bytes, shrunk to what the API takes, or refused with the reason."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_tui.protocol.content import JsonObject

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

MAX_EDGE = 2_000
"""Pixels. What is larger is scaled down by the API anyway, or refused in a request with many pictures."""

GOOD_BYTES = 500 * 1024
"""A picture of more bytes is packed again."""

MAX_BYTES = 3_600_000
"""What base64 keeps below the API's 5 MB."""

MAX_PIXELS = 60_000_000
"""More are not decoded: a small file can unpack to gigabytes."""

SCALED_EDGE = 1_568

_FIRST_BYTES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


class PictureError(ValueError):
    """The picture can't be shown; the text says why."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture ready to be sent. ``note`` says what was done to it. Sizes in pixels, None if unknown."""

    media_type: str
    data: bytes
    width: int | None = None
    height: int | None = None
    note: str = ""

    def block(self) -> JsonObject:
        """Give the API's content block."""
        source = {"type": "base64", "media_type": self.media_type, "data": self.base64()}
        return {"type": "image", "source": source}

    def base64(self) -> str:
        """Give the bytes as base64 text."""
        return base64.b64encode(self.data).decode()


def media_type(data: bytes) -> str | None:
    """Say what kind of picture the bytes are, None if of none that can be shown."""
    for first, kind in _FIRST_BYTES:
        if data.startswith(first):
            return kind
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def prepare(data: bytes, kind: str) -> Picture:
    """Make a picture fit to be sent. Takes a while for a big one: run it in a thread.

    Raises:
        PictureError: it is broken, or too big to be made smaller.
    """
    # door: pillow is loaded when the first picture is read
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # our own limit below, which refuses where pillow's only warns
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "GIF", "WEBP")) as image:
            width, height = image.size
            if width * height > MAX_PIXELS:
                raise PictureError(
                    f"it has {width} x {height} pixels, more than can be decoded here"
                )
            if max(width, height) <= MAX_EDGE and len(data) <= GOOD_BYTES:
                image.load()  # a broken one is found out now and not by the API
                return Picture(kind, data, width, height)
            scaled = image.convert("RGBA" if _is_transparent(image) else "RGB")
            if max(width, height) > MAX_EDGE:
                scaled.thumbnail((SCALED_EDGE, SCALED_EDGE))
            return _packed(scaled, data, kind, (width, height))
    except (OSError, SyntaxError, ValueError, UnidentifiedImageError) as error:
        if isinstance(error, PictureError):
            raise
        raise PictureError(f"it is broken or of an unknown make ({error})") from error


def _packed(image: Pixels, data: bytes, kind: str, size: tuple[int, int]) -> Picture:
    from PIL import Image  # door: loaded already, named here

    unchanged = image.size == size
    if unchanged and len(data) <= MAX_BYTES and kind == "image/jpeg":
        return Picture(kind, data, *size)
    note = (
        ""
        if unchanged
        else f", scaled from {size[0]} x {size[1]} to {image.width} x {image.height}"
    )
    out = io.BytesIO()
    image.save(out, "PNG")
    if out.tell() <= GOOD_BYTES:
        return Picture("image/png", out.getvalue(), *image.size, note=f"packed again{note}")
    flat = Image.new("RGB", image.size, "white")
    flat.paste(image, mask=image.getchannel("A") if image.mode == "RGBA" else None)
    for quality in (80, 60, 40, 20):
        out = io.BytesIO()
        flat.save(out, "JPEG", quality=quality)
        if out.tell() <= GOOD_BYTES:
            break
    if out.tell() > MAX_BYTES:
        raise PictureError(f"it is still {out.tell():,} bytes when shrunk")
    return Picture("image/jpeg", out.getvalue(), *image.size, note=f"packed again as JPEG{note}")


def _is_transparent(image: Pixels) -> bool:
    return "A" in image.mode or "transparency" in image.info
