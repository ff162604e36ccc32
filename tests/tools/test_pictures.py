"""Pictures for the model."""

from __future__ import annotations

import io
import os
from typing import Any

import pytest
from PIL import Image

from agent_tui.tools import pictures
from agent_tui.tools.pictures import GOOD_BYTES, PictureError, media_type, prepare


def drawn(kind: str, size: tuple[int, int], mode: str = "RGB", **more: Any) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, more.pop("color", None)).save(out, kind, **more)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_small_ones_go_as_they_are(kind: str) -> None:
    data = drawn(kind, (40, 30))
    assert media_type(data) == f"image/{kind.lower()}"
    picture = prepare(data, f"image/{kind.lower()}")
    assert (picture.data, picture.width, picture.height, picture.note) == (data, 40, 30, "")
    assert picture.block()["source"]["media_type"] == f"image/{kind.lower()}"


def test_other_files_are_no_pictures() -> None:
    assert media_type(b"BM123") is None
    assert media_type(b"RIFF0000WAVE") is None


def test_wide_ones_are_scaled() -> None:
    picture = prepare(drawn("PNG", (5_000, 100)), "image/png")
    assert (picture.media_type, picture.width) == ("image/png", 1_568)
    assert "scaled from 5000 x 100" in picture.note


def test_heavy_ones_become_jpeg_on_white() -> None:
    noise = Image.frombytes("RGBA", (800, 800), os.urandom(800 * 800 * 4))
    out = io.BytesIO()
    noise.save(out, "PNG")
    picture = prepare(out.getvalue(), "image/png")
    assert picture.media_type == "image/jpeg"
    assert len(picture.data) <= GOOD_BYTES
    assert Image.open(io.BytesIO(picture.data)).size == (800, 800)


def test_a_bomb_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_PIXELS", 1_000)
    with pytest.raises(PictureError, match="pixels"):
        prepare(drawn("PNG", (100, 100)), "image/png")


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0nonsense", b""])
def test_broken_ones_are_refused(data: bytes) -> None:
    with pytest.raises(PictureError, match="broken"):
        prepare(data, "image/png")
