"""Which repositories an index names; indexes are git's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.permissions.git_index import nested_repositories
from tests.permissions.test_git_config import git


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with forty files and two others inside."""
    folder = tmp_path / "repo"
    for number in range(40):
        path = folder / "deep" / ("x" * (number % 9)) / f"file{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(number))
    git(folder, "init", "-q")
    for name in ("deep/mod", "zz"):
        (folder / name).mkdir(parents=True)
        git(folder / name, "init", "-q")
        git(folder / name, "commit", "-qm", "a", "--allow-empty")
    git(folder, "add", "-A")
    return folder


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_is_read(repo: Path, version: str) -> None:
    git(repo, "update-index", "--index-version", version)
    git(repo, "update-index", "--skip-worktree", "deep/x/file1")  # an entry with more flags
    assert nested_repositories(repo / ".git" / "index") == ("deep/mod", "zz")


def test_a_change_is_seen(repo: Path) -> None:
    assert len(nested_repositories(repo / ".git" / "index")) == 2
    git(repo, "update-index", "--force-remove", "zz")
    assert nested_repositories(repo / ".git" / "index") == ("deep/mod",)


def test_hashes_of_the_longer_kind_are_read(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    (tmp_path / "mod").mkdir()
    git(tmp_path / "mod", "init", "-q", "--object-format=sha256")
    git(tmp_path / "mod", "commit", "-qm", "a", "--allow-empty")
    (tmp_path / "a").write_text("x")
    git(tmp_path, "add", "-A")
    assert nested_repositories(tmp_path / ".git" / "index") == ("mod",)


def test_none_is_no_trouble(tmp_path: Path) -> None:
    assert nested_repositories(tmp_path / "index") == ()


def test_an_index_split_over_files_is_not_understood(repo: Path) -> None:
    git(repo, "update-index", "--split-index")
    with pytest.raises(ValueError, match="split over files"):
        nested_repositories(repo / ".git" / "index")


@pytest.mark.parametrize("data", [b"", b"DIRX", b"DIRC\0\0\0\x02\0\0\0\x09" + b"\0\0\xe0\0" * 9])
def test_what_is_no_index_is_not_understood(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "index"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"no index|malformed"):
        nested_repositories(path)
