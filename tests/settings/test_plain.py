from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_tui.settings.plain import read_plain


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff text")
    assert read_plain(tmp_path / "a") == b"\xff text"
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "none")


def test_what_is_no_file_of_a_sensible_size_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "large").write_bytes(b"x" * 11)
    for name in ("pipe", "zero", "loop", "."):
        with pytest.raises(OSError):
            read_plain(tmp_path / name)
    with pytest.raises(OSError, match="larger than 10 bytes"):
        read_plain(tmp_path / "large", 10)
