"""The file of a journal."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agent_tui.journal import file as journal_file
from agent_tui.journal.entries import UserEntry
from agent_tui.journal.file import Journal, add_lines
from agent_tui.journal.fold import fold
from agent_tui.protocol.errors import JournalError, SessionError
from tests.journal.story import Story, text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "root" / "projects" / "-work-app" / "s1.jsonl"


def prompts(journal: Journal) -> list[str]:
    """What was asked, as the file tells."""
    return [e.message["content"] for e in journal.stored() if isinstance(e, UserEntry)]


def test_an_unused_session_leaves_nothing_behind(path: Path) -> None:
    journal = Journal.create(path)
    assert list(journal.stored()) == []
    journal.close()
    assert not path.parent.parent.parent.exists()


def test_what_was_appended_is_visible_at_once_and_owner_only(path: Path) -> None:
    story = Story()
    journal = Journal.create(path)
    journal.append(story.prompt("one"))
    assert prompts(Journal(path, exists=True)) == ["one"]
    journal.append(*story.answer("m1", text("a"), text("b")))
    assert path.read_bytes().count(b"\n") == 3
    assert journal.unsaved is None
    for place, mode in ((path, 0o600), (path.parent, 0o700), (path.parent.parent, 0o700)):
        assert stat.S_IMODE(place.stat().st_mode) == mode
    journal.close()


def test_a_session_of_that_id_is_not_overwritten(path: Path) -> None:
    journal = Journal.create(path)
    journal.append(Story().prompt("one"))
    with pytest.raises(SessionError, match="already"):
        Journal.create(path)
    journal.close()


def test_a_session_that_is_not_there_is_said_so(path: Path) -> None:
    with pytest.raises(SessionError, match="There is no session s1"):
        Journal.open(path)
    path.mkdir(parents=True)
    with pytest.raises(JournalError, match="no regular file"):
        Journal.open(path)


def test_resumed_it_goes_on_where_it_was(path: Path) -> None:
    story = Story()
    journal = Journal.create(path)
    journal.append(story.prompt("one"))
    journal.close()
    again = Journal.open(path)
    assert fold(again.stored()) == fold(story.entries[:1])
    again.append(story.prompt("two"))
    assert prompts(again) == ["one", "two"]
    again.close()


def test_h1_a_record_cut_by_a_kill_is_skipped_and_the_next_stands_on_its_own_line(
    path: Path,
) -> None:
    story = Story()
    journal = Journal.create(path)
    for number in range(200):
        journal.append(story.prompt(f"p{number}"))
    journal.close()
    with path.open("ab") as file:
        file.write(b'{"type":"user","uuid":"cut","message":{"role":"us')
    again = Journal.open(path)
    reading = again.stored()
    assert len([e for e in reading if isinstance(e, UserEntry)]) == 200
    assert reading.damaged == 1
    again.append(story.prompt("after"))
    again.close()
    third = Journal.open(path)
    assert prompts(third) == [*(f"p{n}" for n in range(200)), "after"]
    third.close()


def test_h1_a_whole_last_line_without_its_newline_counts(path: Path) -> None:
    story = Story()
    journal = Journal.create(path)
    journal.append(story.prompt("one"), story.prompt("two"))
    journal.close()
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    again = Journal.open(path)
    again.append(story.prompt("three"))
    assert prompts(again) == ["one", "two", "three"]
    assert again.stored().damaged == 0
    again.close()


def test_h2_a_second_process_is_told_that_the_session_is_in_use(path: Path) -> None:
    journal = Journal.create(path)
    journal.append(Story().prompt("one"))
    code = (
        "import sys; from pathlib import Path; from agent_tui.journal.file import Journal\n"
        "from agent_tui.protocol.errors import SessionError\n"
        "try: Journal.open(Path(sys.argv[1]))\n"
        "except SessionError as error: print(error); sys.exit(3)\n"
    )
    root = Path(journal_file.__file__).parents[2]
    run = [sys.executable, "-c", code, str(path)]
    other = subprocess.run(run, cwd=root, capture_output=True, text=True, check=False)
    assert other.returncode == 3
    assert "in use by another process" in other.stdout
    assert "fork" in other.stdout
    journal.close()
    assert subprocess.run(run, cwd=root, check=False).returncode == 0


def test_h2_a_second_writer_in_this_process_too(path: Path) -> None:
    journal = Journal.create(path)
    journal.append(Story().prompt("one"))
    with pytest.raises(SessionError, match="in use"):
        Journal.open(path)
    journal.close()


class Disk:
    """A disk that can be full: stands in for ``os.write``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        self.write = os.write
        monkeypatch.setattr(os, "write", self)

    def __call__(self, fd: int, data: bytes) -> int:
        if self.room is None:
            return self.write(fd, data)
        if self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        part = data[: self.room]
        self.room -= len(part)
        return self.write(fd, part)


@pytest.mark.parametrize("room", [0, 10])
def test_h8_a_full_disk_loses_nothing_once_there_is_room_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    disk = Disk(monkeypatch)
    states: list[str | None] = []
    story = Story()
    journal = Journal.create(path, on_state=states.append)
    journal.append(story.prompt("one"))
    before = path.read_bytes()
    disk.room = room
    journal.append(story.prompt("two"))
    journal.append(story.prompt("three"))
    assert journal.unsaved == "no space left on device"
    assert path.read_bytes() == before, "not even a part of a line is left"
    disk.room = None
    journal.append(story.prompt("four"))
    assert journal.unsaved is None
    assert states == ["no space left on device", None]
    assert prompts(journal) == ["one", "two", "three", "four"]
    journal.close()


def test_h8_a_piece_that_cannot_be_taken_back_does_not_spoil_the_next_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    story = Story()
    journal = Journal.create(path)
    journal.append(story.prompt("one"))

    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(os, "ftruncate", refuse)
        disk.room = 10
        journal.append(story.prompt("two"))
    disk.room = None
    journal.append(story.prompt("three"))
    reading = journal.stored()
    assert prompts(journal) == ["one", "two", "three"]
    assert list(reading)
    assert reading.damaged == 1
    journal.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home_lets_the_session_go_on_unsaved(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.parent.chmod(0o500)
    story = Story()
    journal = Journal.create(path)
    journal.append(story.prompt("one"))
    assert journal.unsaved == "permission denied"
    path.parent.chmod(0o700)
    journal.append(story.prompt("two"))
    assert prompts(journal) == ["one", "two"]
    journal.close()


def test_a_file_that_may_only_be_read_can_still_be_resumed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = Story()
    first = Journal.create(path)
    first.append(story.prompt("one"))
    first.close()
    opened = os.open

    def read_only(file: str | Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise OSError(errno.EROFS, "Read-only file system")
        return opened(file, flags, mode)

    with monkeypatch.context() as locked:
        locked.setattr(os, "open", read_only)
        journal = Journal.open(path)
        assert prompts(journal) == ["one"]
        journal.append(story.prompt("two"))
        assert journal.unsaved == "read-only file system"
    journal.append(story.prompt("three"))
    assert prompts(journal) == ["one", "two", "three"]
    journal.close()


def replace_with(path: Path, data: bytes) -> None:
    """Put another file in the place, as editors and sync programs do."""
    other = path.with_suffix(".new")
    other.write_bytes(data)
    other.replace(path)


@pytest.mark.parametrize("what", ["same", "older", "unrelated", "removed", "folder removed"])
def test_h3_turns_after_the_file_was_replaced_are_saved(path: Path, what: str) -> None:
    states: list[str | None] = []
    story = Story()
    journal = Journal.create(path, on_state=states.append)
    journal.append(story.prompt("before 1"))
    older = path.read_bytes()
    journal.append(story.prompt("before 2"))
    match what:
        case "same":
            replace_with(path, path.read_bytes())
        case "older":
            replace_with(path, older)
        case "unrelated":
            replace_with(path, b"not ours")
        case "removed":
            path.unlink()
        case _:
            path.unlink()
            path.parent.rmdir()
    for number in range(10):
        journal.append(story.prompt(f"turn {number}"))
    assert states[0] is not None
    assert "replaced or removed" in states[0]
    assert states[1:] == [None]
    assert prompts(journal) == ["before 1", "before 2", *(f"turn {n}" for n in range(10))]
    assert journal.unsaved is None
    journal.close()
    again = Journal.open(path)
    assert len(prompts(again)) == 12
    again.close()


def test_h3_lines_that_somebody_took_out_on_purpose_stay_out(path: Path) -> None:
    story = Story()
    journal = Journal.create(path)
    journal.append(story.prompt("secret"))
    journal.append(story.prompt("kept"))
    replace_with(path, path.read_bytes().splitlines(keepends=True)[1])
    journal.append(story.prompt("next"))
    journal.close()
    assert prompts(journal) == ["kept", "next"]


@pytest.mark.anyio
async def test_sync_makes_it_durable_and_tells_when_it_cannot(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def count(fd: int) -> None:
        synced.append(fd)
        fsync(fd)

    monkeypatch.setattr(os, "fsync", count)
    journal = Journal.create(path)
    await journal.sync()
    assert synced == []
    journal.append(Story().prompt("one"))
    await journal.sync()
    assert len(synced) == 2, "the file, and once its folder"
    await journal.sync()
    assert len(synced) == 3

    def fail(fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    await journal.sync()
    assert journal.unsaved == "input/output error"
    monkeypatch.setattr(os, "fsync", fsync)
    await journal.sync()
    assert journal.unsaved is None
    journal.close()


@pytest.mark.anyio
async def test_sync_and_close_try_again_what_is_unsaved(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    disk.room = 0
    story = Story()
    journal = Journal.create(path)
    journal.append(story.prompt("one"))
    assert journal.unsaved
    disk.room = None
    await journal.sync()
    assert journal.unsaved is None
    disk.room = 0
    journal.append(story.prompt("two"))
    disk.room = None
    journal.close()
    assert prompts(journal) == ["one", "two"]


def test_lines_can_be_added_beside_the_one_who_holds_it(path: Path) -> None:
    journal = Journal.create(path)
    story = Story()
    journal.append(story.prompt("one"))
    add_lines(path, story.prompt("beside"))
    journal.append(story.prompt("two"))
    assert prompts(journal) == ["one", "beside", "two"]
    journal.close()
    with path.open("ab") as file:
        file.write(b'{"cut')
    add_lines(path, story.prompt("after"))
    assert prompts(Journal(path, exists=True)) == ["one", "beside", "two", "after"]
    with pytest.raises(FileNotFoundError):
        add_lines(path.with_name("none.jsonl"), story.prompt("x"))
