from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.journal.entries import FileChangedEntry
from agent_tui.loop.file_history import FileHistory
from agent_tui.machine.file_states import look, put_back
from agent_tui.machine.files import digest_of
from agent_tui.protocol.file_states import ABSENT, FileState
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio


class Scene:
    """A history over a stage; the folder of kept files can be taken away."""

    def __init__(self, folder: Path) -> None:
        self.stage = Stage(folder)
        self.kept = folder / "kept"
        self.history = FileHistory(self.stage.record, lambda: self.kept)

    @property
    def lines(self) -> list[FileChangedEntry]:
        return [e for e in self.stage.sink.entries if isinstance(e, FileChangedEntry)]

    async def write(self, path: Path, data: bytes) -> None:
        async def make() -> None:
            assert self.lines[-1].path == str(path)  # written before it is changed
            path.write_bytes(data)

        after = FileState("file", digest_of(data), 0, len(data))
        await self.history.writing(str(path), after, make)


async def test_bytes_are_kept_once_a_prompt_and_the_line_comes_first(tmp_path: Path) -> None:
    scene, file = Scene(tmp_path), tmp_path / "f"
    file.write_bytes(b"one")
    file.chmod(0o640)
    await scene.stage.record.prompt("go", "p1")
    await scene.write(file, b"two")
    await scene.write(file, b"three")
    first, second = scene.lines
    assert (first.kept, first.prompt_uuid, first.by) == (True, "p1", "tool")
    assert first.before == FileState("file", digest_of(b"one"), 0o640, 3)
    assert first.after == FileState("file", digest_of(b"two"), 0o640, 3)
    assert (second.kept, second.why) == (False, "")
    assert scene.history.kept.get(digest_of(b"one")) == b"one"
    assert scene.history.kept.get(digest_of(b"two")) is None
    await scene.stage.record.prompt("on", "p2")
    await scene.write(file, b"four")
    assert scene.lines[-1].kept
    assert scene.history.kept.get(digest_of(b"three")) == b"three"


async def test_what_somebody_else_wrote_in_between_is_kept_too(tmp_path: Path) -> None:
    scene, file = Scene(tmp_path), tmp_path / "f"
    await scene.write(file, b"two")
    assert scene.lines[0].before == ABSENT
    assert scene.lines[0].kept
    file.write_bytes(b"by hand")
    await scene.write(file, b"three")
    assert scene.history.kept.get(digest_of(b"by hand")) == b"by hand"


async def test_a_disk_that_says_no_holds_up_nothing_and_is_told(tmp_path: Path) -> None:
    scene, file = Scene(tmp_path), tmp_path / "f"
    file.write_bytes(b"one")
    scene.kept.write_text("no folder")
    await scene.write(file, b"two")
    assert file.read_bytes() == b"two"
    [line] = scene.lines
    assert not line.kept
    assert line.why
    assert ["without a way back" in text for text in scene.stage.notices] == [True]


async def test_a_command_is_noted_with_what_it_did(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    (tmp_path / "gone").mkdir()
    for name in ("gone/a", "gone/b", "same", "wide"):
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to("wide")
    named = {str(tmp_path / n): n == "gone" for n in ("gone", "same", "link", "new", "made")}
    before = await scene.history.before_command(named)
    assert all(line.after is None for line in scene.lines)
    assert {Path(path).name for path in before} == {"a", "b", "same", "link", "wide", "new", "made"}
    count = len(scene.lines)
    (tmp_path / "gone" / "a").unlink()
    (tmp_path / "wide").write_text("wider")
    (tmp_path / "new").write_text("new")
    (tmp_path / "made").mkdir()
    await scene.history.after_command(before)
    ended = {Path(line.path).name: line.after for line in scene.lines[count:]}
    assert ended.keys() == {"a", "wide", "new"}
    assert ended["a"] == ABSENT


async def test_a_large_folder_is_not_followed(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    (tmp_path / "big").mkdir()
    for number in range(201):
        (tmp_path / "big" / str(number)).write_text("x")
    assert await scene.history.before_command({str(tmp_path / "big"): True}) == {}


async def test_what_is_replaced_on_purpose_is_always_kept(tmp_path: Path) -> None:
    scene, file = Scene(tmp_path), tmp_path / "f"
    await scene.write(file, b"one")
    looked = look(str(file))
    await scene.history.replacing(
        str(file), looked, ABSENT, lambda: put_back(str(file), ABSENT, None, now=looked.state),
        by="rewind", group="g",
    )  # fmt: skip
    assert not file.exists()
    last = scene.lines[-1]
    assert (last.by, last.group, last.kept) == ("rewind", "g", True)
    assert scene.history.kept.get(digest_of(b"one")) == b"one"


async def test_after_going_back_everything_is_kept_again(tmp_path: Path) -> None:
    scene, file = Scene(tmp_path), tmp_path / "f"
    await scene.write(file, b"one")
    scene.history.keep_anew()
    await scene.write(file, b"two")
    assert scene.lines[-1].kept
    scene.kept = tmp_path / "other"  # the conversation was cleared
    scene.history.keep_anew()
    await scene.write(file, b"three")
    assert (tmp_path / "other" / digest_of(b"two")).exists()
