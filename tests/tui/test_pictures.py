from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from agent_tui.tui import pictures
from agent_tui.tui.pictures import PictureError, known, read_file


def made(kind: str, width: int, height: int, **how: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(out, kind, **how)
    return out.getvalue()


@pytest.mark.parametrize(
    ("kind", "how", "told"),
    [
        ("PNG", {}, "image/png"),
        ("GIF", {}, "image/gif"),
        ("JPEG", {}, "image/jpeg"),
        ("JPEG", {"progressive": True}, "image/jpeg"),
        ("WEBP", {"lossless": True}, "image/webp"),
        ("WEBP", {}, "image/webp"),
        ("WEBP", {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}, "image/webp"),
    ],
)
def test_kind_and_size_are_told_by_the_first_bytes(
    kind: str, how: dict[str, object], told: str
) -> None:
    picture = known(made(kind, 640, 480, **how), "it")
    assert (picture.media_type, picture.width, picture.height) == (told, 640, 480)


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG", "WEBP"])
def test_one_that_ends_early_has_no_size_and_does_no_harm(kind: str) -> None:
    data = made(kind, 640, 480)
    for length in range(12, 40):
        picture = known(data[:length], "it")
        assert (picture.width, picture.height) in ((640, 480), (0, 0))


def test_what_is_no_picture_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no")
    for path, why in (("a.png", "no picture"), ("b.png", "no file"), (".", "no file")):
        with pytest.raises(PictureError, match=why):
            read_file(tmp_path / path)


def test_one_that_is_too_large_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.png").write_bytes(made("PNG", 4, 4))
    assert read_file(tmp_path / "a.png").width == 4
    monkeypatch.setattr(pictures, "MAX_BYTES", 20)
    with pytest.raises(PictureError, match="larger than"):
        read_file(tmp_path / "a.png")
