from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine.compared import NOT_KEPT, Compared, seen_of
from agent_tui.journal.entries import FileChangedEntry
from agent_tui.journal.file_changes import touched
from agent_tui.journal.kept_files import KeptFiles
from agent_tui.machine.file_states import look
from agent_tui.machine.files import digest_of
from agent_tui.protocol.file_states import ABSENT, FileState
from tests.journal.story import Story


def state(data: bytes, mode: int = 0o644) -> FileState:
    return FileState("file", digest_of(data), mode, len(data))


def compared(folder: Path, before: bytes | None, now: bytes | None) -> Compared:
    """A file that the agent changed from the one to the other."""
    path, kept = folder / "f.txt", KeptFiles(folder / "kept")
    if before is not None:
        kept.put(digest_of(before), before)
    if now is not None:
        path.write_bytes(now)
        path.chmod(0o644)
    then = ABSENT if before is None else state(before)
    after = ABSENT if now is None else state(now)
    entry = FileChangedEntry(Story().header(), str(path), then, after, kept=True)
    return Compared.of(touched([entry])[str(path)], kept, folder)


def test_a_change_is_told_by_its_lines(tmp_path: Path) -> None:
    one = compared(tmp_path, b"a\nb\n", b"a\nc\nd\n")
    row = one.row
    assert (row.shown, row.what, row.added, row.removed, row.note) == ("f.txt", "changed", 2, 1, "")
    assert not one.same
    assert one.foreign == ""
    assert row.seen == seen_of(look(row.path).state)


@pytest.mark.parametrize(
    ("before", "now", "what", "note"),
    [
        (None, b"a\n", "created", ""),
        (b"a\n", None, "removed", ""),
        (b"a\n", b"a\r\n", "changed", "line ends or encoding"),
        (b"\0a", b"\0b", "changed", "not text"),
    ],
)
def test_what_lines_do_not_tell_is_noted(
    tmp_path: Path, before: bytes | None, now: bytes | None, what: str, note: str
) -> None:
    row = compared(tmp_path, before, now).row
    assert (row.what, row.note) == (what, note)


def test_what_is_not_kept_is_said(tmp_path: Path) -> None:
    one = compared(tmp_path, b"a\n", b"b\n")
    for file in (tmp_path / "kept").iterdir():
        file.unlink()
    again = Compared.of(one.touch, KeptFiles(tmp_path / "kept"), tmp_path)
    assert (again.is_kept, again.row.note) == (False, NOT_KEPT)
    assert again.without(0) is None


def test_others_are_seen_by_what_they_left(tmp_path: Path) -> None:
    one = compared(tmp_path, b"a\n", b"b\n")
    path = Path(one.touch.path)
    path.write_bytes(b"c\n")
    kept = KeptFiles(tmp_path / "kept")
    assert Compared.of(one.touch, kept, tmp_path).foreign == "changed since"
    path.unlink()
    assert Compared.of(one.touch, kept, tmp_path).foreign == "removed since"
    path.write_bytes(b"a\n")
    assert Compared.of(one.touch, kept, tmp_path).same


def test_a_folder_that_was_made_counts_as_nothing(tmp_path: Path) -> None:
    one = compared(tmp_path, None, None)
    Path(one.touch.path).mkdir()
    assert Compared.of(one.touch, KeptFiles(tmp_path / "kept"), tmp_path).same


def test_one_hunk_less_keeps_every_other_byte(tmp_path: Path) -> None:
    before = b"".join(b"line %d\r\n" % n for n in range(30))
    now = before.replace(b"line 3\r\n", b"three\r\nand more\r\n").replace(b"line 25\r\n", b"\xff\n")
    one = compared(tmp_path, before, now)
    assert len(one.hunks()) == 2
    assert one.without(0) == before.replace(b"line 25\r\n", b"\xff\n")
    assert one.without(1) == before.replace(b"line 3\r\n", b"three\r\nand more\r\n")
    assert one.without(2) is None


def test_a_line_end_that_was_missing_is_missing_again(tmp_path: Path) -> None:
    assert compared(tmp_path, b"a\nb", b"a\nc\n").without(0) == b"a\nb"
