from __future__ import annotations

from pathlib import Path

import pytest

from pictures.looking import converter, png_of


def test_a_program_that_is_there_is_used(tmp_path: Path) -> None:
    program = tmp_path / "cairosvg"
    program.write_text('#!/bin/sh\ncp "$1" "$3"\n')
    program.chmod(0o755)
    picture = tmp_path / "a.svg"
    picture.write_text("<svg/>")
    path = f"{tmp_path}:/bin:/usr/bin"
    assert png_of(picture, path) == tmp_path / "a.png"
    assert (tmp_path / "a.png").read_text() == "<svg/>"


def test_where_there_is_none_it_says_what_is_missing(tmp_path: Path) -> None:
    assert converter(str(tmp_path)) is None
    with pytest.raises(FileNotFoundError, match="rsvg-convert, resvg"):
        png_of(tmp_path / "a.svg", str(tmp_path))
