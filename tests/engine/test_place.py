"""What files alone tell of the place."""

from __future__ import annotations

import os
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from agent_tui.context.system_prompt import environment_text
from agent_tui.engine.place import git_branch, project_root, surroundings
from agent_tui.settings.paths import Environment


def repository(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", "-b", "trunk"], cwd=folder, check=True)
    return folder


def commit(folder: Path) -> None:
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=folder, check=True)


def test_the_branch_is_read_from_below_too(tmp_path: Path) -> None:
    below = repository(tmp_path / "r") / "a" / "b"
    below.mkdir(parents=True)
    assert git_branch(below) == "trunk"
    (tmp_path / "r" / ".git" / "HEAD").write_text("ref: refs/heads/feature/x\n")
    assert git_branch(below) == "feature/x"


def test_a_detached_head_has_no_branch_and_no_repository_has_none(tmp_path: Path) -> None:
    place = repository(tmp_path / "r")
    commit(place)
    subprocess.run(["git", "checkout", "-q", "--detach"], cwd=place, check=True)
    assert git_branch(place) == ""
    assert git_branch(tmp_path) is None


def test_a_worktree_has_a_branch_of_its_own(tmp_path: Path) -> None:
    place = repository(tmp_path / "r")
    commit(place)
    subprocess.run(
        ["git", "worktree", "add", "-q", "-b", "side", str(tmp_path / "w")], cwd=place, check=True
    )
    assert git_branch(tmp_path / "w") == "side"
    assert project_root(tmp_path / "w", Environment({}, tmp_path)) == tmp_path / "w"


def test_a_head_that_is_a_pipe_or_a_device_keeps_nobody(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    assert git_branch(tmp_path) == ""
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / ".git").symlink_to("/dev/zero")
    assert git_branch(tmp_path / "below") == ""


def test_a_git_folder_without_a_head_is_no_error(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert git_branch(tmp_path) == ""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / ".git").write_bytes(b"\xff\x00 no such thing")
    assert git_branch(tmp_path / "sub") == ""


def test_a11_nothing_the_repository_names_is_run(tmp_path: Path) -> None:
    place = repository(tmp_path / "r")
    subprocess.run(
        ["git", "config", "core.fsmonitor", f"touch {tmp_path}/pwn"], cwd=place, check=True
    )
    found = surroundings(place, (Path("/lib"),), datetime(2026, 3, 1, 23, 59))
    assert not (tmp_path / "pwn").exists()
    assert (found.git_branch, found.git_status) == ("trunk", None)
    assert (found.date, found.cwd, found.folders) == ("2026-03-01", str(place), ("/lib",))
    told = environment_text(found)
    assert "Git branch: trunk" in told
    assert "status" not in told


def test_the_project_is_the_repository_else_the_folder_and_never_home(tmp_path: Path) -> None:
    below = repository(tmp_path / "r") / "a"
    below.mkdir()
    env = Environment({}, tmp_path)
    assert project_root(below, env) == tmp_path / "r"
    repository(tmp_path)
    (tmp_path / "plain").mkdir()
    assert project_root(tmp_path / "plain", env) == tmp_path / "plain"


@pytest.mark.parametrize("text", ["gitdir: ../real\n", "gitdir:   ../real"])
def test_a_git_file_points_to_the_folder(tmp_path: Path, text: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "HEAD").write_text("ref: refs/heads/far\n")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / ".git").write_text(text)
    assert git_branch(tmp_path / "here") == "far"
