from __future__ import annotations

import stat
from pathlib import Path

import pytest

from agent_tui.journal.kept_files import KeptFiles, kept_folder
from agent_tui.machine.files import digest_of


def test_bytes_are_kept_once_by_their_content_for_the_owner_only(tmp_path: Path) -> None:
    folder = kept_folder(tmp_path / "s.jsonl")
    assert folder == tmp_path / "s" / "file-history"
    kept = KeptFiles(folder)
    data = b"a\r\n\0b"
    kept.put(digest_of(data), data)
    kept.put(digest_of(data), data)
    [file] = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert kept.get(digest_of(data)) == data


def test_what_is_not_there_or_not_what_it_was_is_none(tmp_path: Path) -> None:
    kept = KeptFiles(tmp_path)
    assert kept.get(digest_of(b"x")) is None
    kept.put(digest_of(b"x"), b"x")
    (tmp_path / digest_of(b"x")).write_bytes(b"y")
    assert kept.get(digest_of(b"x")) is None


def test_there_is_a_limit_that_counts_what_is_there_already(tmp_path: Path) -> None:
    KeptFiles(tmp_path).put(digest_of(b"12345"), b"12345")
    kept = KeptFiles(tmp_path, max_bytes=8)
    with pytest.raises(OSError, match="already"):
        kept.put(digest_of(b"6789"), b"6789")
    kept.put(digest_of(b"678"), b"678")
    assert kept.get(digest_of(b"678")) == b"678"
