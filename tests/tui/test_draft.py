from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_tui.settings.paths import Environment
from agent_tui.tui.draft import draft_file, hand_over, save


@pytest.fixture
def env(home: Path) -> Environment:
    return Environment({}, home)


def ended_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_a_draft_of_an_ended_screen_is_handed_over_once(env: Environment, tmp_path: Path) -> None:
    path = draft_file(env, tmp_path, ended_pid())
    save(path, "half a\nthought \udc80")
    assert path.stat().st_mode & 0o777 == 0o600
    kept: list[str] = []
    assert hand_over(env, tmp_path, kept.append) == 1
    assert kept == ["half a\nthought \udc80"]
    assert hand_over(env, tmp_path, kept.append) == 0


def test_drafts_of_running_screens_and_other_projects_are_left_alone(
    env: Environment, tmp_path: Path
) -> None:
    mine = draft_file(env, tmp_path, os.getpid())
    other = draft_file(env, tmp_path / "other", ended_pid())
    save(mine, "still being typed")
    save(other, "elsewhere")
    kept: list[str] = []
    assert hand_over(env, tmp_path, kept.append) == 0
    assert mine.exists()
    assert other.exists()


def test_an_empty_draft_removes_the_file(env: Environment, tmp_path: Path) -> None:
    path = draft_file(env, tmp_path, 1)
    save(path, "x")
    save(path, "")
    assert not path.exists()


def test_a_draft_that_can_not_be_kept_stays(env: Environment, tmp_path: Path) -> None:
    path = draft_file(env, tmp_path, ended_pid())
    save(path, "precious")

    def full_disk(_text: str) -> None:
        raise OSError("no space left on device")

    hand_over(env, tmp_path, full_disk)
    assert path.exists()


def test_a_broken_file_harms_nothing(env: Environment, tmp_path: Path) -> None:
    path = draft_file(env, tmp_path, ended_pid())
    path.parent.mkdir(parents=True)
    path.write_text("{half")
    assert hand_over(env, tmp_path, lambda _text: None) == 0
