"""The working trees of a repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from agent_tui.sdk.worktrees import worktrees


def git(folder: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "main"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return folder


def test_each_tree_knows_the_others(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "one"))
    git(repository, "worktree", "add", "-q", str(tmp_path / "two"))
    assert worktrees(repository) == [tmp_path / "one", tmp_path / "two"]
    inside = tmp_path / "one" / "src"
    inside.mkdir()
    assert worktrees(inside) == [repository, tmp_path / "two"]


def test_there_are_none_outside_a_repository_or_with_one_tree(
    repository: Path, tmp_path: Path
) -> None:
    assert worktrees(tmp_path) == []
    assert worktrees(repository) == []


def test_a_file_that_is_no_link_names_none(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nonsense")
    assert worktrees(tmp_path) == []
    (tmp_path / ".git").write_text("gitdir: nowhere")
    assert worktrees(tmp_path) == []
