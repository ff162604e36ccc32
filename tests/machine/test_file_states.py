from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from agent_tui.machine.file_states import look, put_back
from agent_tui.machine.files import digest_of
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.file_states import ABSENT, FileState


def test_it_says_what_stands_there_without_following_a_link(tmp_path: Path) -> None:
    file = tmp_path / "f"
    assert look(str(file)).state == ABSENT
    file.write_bytes(b"x\r\n")
    file.chmod(0o640)
    found = look(str(file))
    assert found.data == b"x\r\n"
    assert found.state == FileState("file", digest_of(b"x\r\n"), 0o640, 3)
    link = tmp_path / "l"
    link.symlink_to("f")
    assert look(str(link)).state == FileState("link", target="f")
    assert look(str(tmp_path)).state.what == "other"
    assert look(str(file / "below")).state == ABSENT
    os.mkfifo(tmp_path / "p")
    assert look(str(tmp_path / "p")).state.what == "other"


def test_a_file_too_big_is_told_without_its_bytes(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"12345")
    found = look(str(file), max_bytes=4)
    assert found.data is None
    assert "larger" in found.why
    assert not found.state.known
    assert not found.state.holds_same(found.state)


def test_a_file_is_put_back_with_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "f"
    wanted = FileState("file", digest_of(b"old"), 0o600, 3)
    assert put_back(str(file), wanted, b"old", now=ABSENT) == wanted
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(b"new")
    file.chmod(0o644)
    assert put_back(str(file), wanted, b"old", now=look(str(file)).state) == wanted
    file.chmod(0o644)
    assert put_back(str(file), wanted, b"old", now=look(str(file)).state).mode == 0o600
    assert put_back(str(file), ABSENT, None, now=wanted) == ABSENT
    assert not file.exists()


def test_other_names_of_a_file_see_it(tmp_path: Path) -> None:
    file, other = tmp_path / "f", tmp_path / "g"
    file.write_bytes(b"new")
    os.link(file, other)
    now = look(str(file)).state
    put_back(str(file), FileState("file", digest_of(b"old"), 0o640, 3), b"old", now=now)
    assert other.read_bytes() == b"old"
    assert stat.S_IMODE(other.stat().st_mode) == 0o640


def test_a_removed_link_is_made_again(tmp_path: Path) -> None:
    link = tmp_path / "l"
    put_back(str(link), FileState("link", target="f"), None, now=ABSENT)
    assert os.readlink(link) == "f"


@pytest.mark.parametrize("wanted", [ABSENT, FileState("file", digest_of(b"old"), 0o644, 3)])
def test_nothing_is_put_over_what_is_not_as_it_was(tmp_path: Path, wanted: FileState) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"new")
    now = look(str(file)).state
    file.write_bytes(b"by hand")
    with pytest.raises(PortError, match="by now"):
        put_back(str(file), wanted, b"old", now=now)
    file.unlink()
    file.symlink_to(tmp_path)
    for state in (now, look(str(file)).state):
        with pytest.raises(PortError):
            put_back(str(file), FileState("file", "x", 0o644), b"old", now=state)
    assert file.is_symlink()
