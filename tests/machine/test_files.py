"""Real files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_tui.machine.files import RealFiles, digest_of, read_regular
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import Seen

pytestmark = pytest.mark.anyio

NOBODY = 65_534


@pytest.fixture
def files() -> RealFiles:
    """The port."""
    return RealFiles(max_bytes=1_000)


async def test_a_file_is_read_whole_with_its_digest(files: RealFiles, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\0b")
    (tmp_path / "l").symlink_to("f")
    found = await files.read(str(tmp_path / "l"))
    assert (found.data, found.digest) == (b"a\0b", digest_of(b"a\0b"))
    assert found.real_path == str(tmp_path / "f")
    assert await files.find(str(tmp_path / "l")) == found
    assert await files.find(str(tmp_path / "none")) is None


async def test_what_is_too_big_or_no_file_is_refused(files: RealFiles, tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 1_001)
    with pytest.raises(PortError, match=r"1,001 bytes, the limit is 1,000"):
        await files.read(str(tmp_path / "big"))
    assert len((await files.read(str(tmp_path / "big"), max_bytes=2_000)).data) == 1_001
    with pytest.raises(PortError, match="too big"):
        await files.read("/proc/self/smaps")  # says that it has no size
    with pytest.raises(PortError, match="does not exist: a part of its path is a file"):
        await files.read(str(tmp_path / "big" / "x"))
    with pytest.raises(PortError, match="folder does not exist either"):
        await files.read(str(tmp_path / "none" / "x"))
    with pytest.raises(PortError, match="can't be read"):
        await files.read(str(tmp_path / ("x" * 300)))
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/null", str(tmp_path / "pipe"), str(tmp_path)):
        with pytest.raises(PortError, match="not a regular file"):
            await files.read(path)
        with pytest.raises(PortError):
            await files.write(path, b"x", replaces=digest_of(b""))


async def test_a_write_replaces_what_it_knows_and_nothing_else(
    files: RealFiles, tmp_path: Path
) -> None:
    path = str(tmp_path / "a" / "f")
    made = await files.write(path, b"one", replaces=None)
    assert Path(path).read_bytes() == b"one"
    assert Path(path).stat().st_mode & 0o777 == 0o666 & ~_umask()
    with pytest.raises(PortError, match="There is a file at this path by now"):
        await files.write(path, b"two", replaces=None)
    with pytest.raises(PortError, match="changed in the meantime"):
        await files.write(path, b"two", replaces=digest_of(b"zero"))
    assert (await files.write(path, b"two", replaces=made.digest)).digest == digest_of(b"two")
    Path(path).unlink()
    with pytest.raises(PortError, match="removed in the meantime"):
        await files.write(path, b"three", replaces=digest_of(b"two"))
    assert list((tmp_path / "a").iterdir()) == []


async def test_mode_owner_attributes_and_links_are_kept(files: RealFiles, tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"one")
    file.chmod(0o4755)
    if os.geteuid() == 0:
        os.chown(file, NOBODY, NOBODY)
        file.chmod(0o4755)
    before = file.stat()
    await files.write(str(file), b"two", replaces=digest_of(b"one"))
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )
    assert after.st_ino != before.st_ino
    os.link(file, tmp_path / "other")
    await files.write(str(file), b"three", replaces=digest_of(b"two"))
    assert (tmp_path / "other").read_bytes() == b"three"


async def test_a_write_that_fails_leaves_the_file_and_nothing_else(
    files: RealFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PortError, match="No space left on device"):
        await files.write(str(file), b"two", replaces=digest_of(b"one"))
    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]


async def test_writing_into_a_file_puts_the_old_bytes_back_when_it_fails(
    files: RealFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"one")
    os.link(file, tmp_path / "other")
    failing = iter([True, False])
    sync = os.fsync

    def full_once(handle: int) -> None:
        if next(failing):
            raise OSError(28, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", full_once)
    with pytest.raises(PortError, match="No space"):
        await files.write(str(file), b"twenty", replaces=digest_of(b"one"))
    assert file.read_bytes() == b"one"


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder of root's, seen by somebody else."""
    if os.geteuid() != 0:
        pytest.skip("needs to become somebody else")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for file in ("mine", "theirs"):
            (folder / file).write_bytes(b"one")
        os.chown(folder / "mine", NOBODY, NOBODY)
        os.seteuid(NOBODY)
        yield folder
        os.seteuid(0)


async def test_in_a_folder_one_may_not_change_a_file_is_written_in_place(
    files: RealFiles, as_nobody: Path
) -> None:
    old = digest_of(b"one")
    await files.write(str(as_nobody / "mine"), b"two", replaces=old)
    assert (as_nobody / "mine").read_bytes() == b"two"
    with pytest.raises(PortError, match="write-protected"):
        await files.write(str(as_nobody / "theirs"), b"two", replaces=old)
    with pytest.raises(PortError, match="permission denied"):
        await files.write(str(as_nobody / "new"), b"two", replaces=None)
    assert sorted(entry.name for entry in as_nobody.iterdir()) == ["mine", "theirs"]


def test_names_like_a_missing_one_are_told(tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    with pytest.raises(PortError, match=r"Did you mean .*/README\.md\?"):
        read_regular(str(tmp_path / "README.rd"), 10)
    with pytest.raises(PortError, match=r"does not exist\.$"):
        read_regular(str(tmp_path / "zzz"), 10)


async def test_the_memory_is_by_real_path(files: RealFiles, tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "l").symlink_to("f")
    files.remember(str(tmp_path / "l"), Seen("d", 1))
    assert files.recall(str(tmp_path / "f")) == Seen("d", 1)
    assert files.seen() == {str(tmp_path / "f"): Seen("d", 1)}


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
