"""Only the owner can read what we write."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_tui.settings.private import make_private_folder, private_opener, write_private


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """The most generous umask there is."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_file_and_every_folder_made_for_it_are_the_owners(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c" / "key.json"
    write_private(path, "schön\n")
    assert path.read_bytes() == "schön\n".encode()
    assert mode(path) == 0o600
    assert [mode(tmp_path / p) for p in ("a", "a/b", "a/b/c")] == [0o700] * 3


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    make_private_folder(tmp_path / "shared" / "mine")
    make_private_folder(tmp_path / "shared" / "mine")
    assert mode(tmp_path / "shared") == 0o755
    assert mode(tmp_path / "shared" / "mine") == 0o700


def test_a_file_in_the_way_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file")
    with pytest.raises(OSError):
        make_private_folder(tmp_path / "a" / "b")


def test_an_open_file_becomes_private_when_it_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("old")
    path.chmod(0o644)
    write_private(path, "new")
    assert (path.read_text(), mode(path)) == ("new", 0o600)


def test_what_fails_leaves_the_old_content_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "key"
    write_private(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_private(path, "\ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_is_opened_for_its_owner_and_grows(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for line in ("one\n", "two\n"):
        with open(path, "a", opener=private_opener) as file:
            assert not os.get_inheritable(file.fileno())
            file.write(line)
    assert path.read_text() == "one\ntwo\n"
    assert mode(path) == 0o600
