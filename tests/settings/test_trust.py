"""The file that says which folders are trusted, and how far that reaches."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.paths import Environment
from agent_tui.settings.trust import Trust, approve, remember, trust_file, trust_in


@pytest.fixture
def env(home: Path) -> Environment:
    return Environment({}, home)


def made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def test_a_folder_is_trusted_with_what_was_seen(env: Environment, tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    assert trust_in(env, project) == Trust()
    remember(env, project, ["b", "a", "a"])
    assert trust_in(env, project) == Trust(frozenset("ab"))
    remember(env, project, ["c"])
    assert trust_in(env, project) == Trust(frozenset("c")), "what is gone is forgotten"
    assert stat.S_IMODE(trust_file(env).stat().st_mode) == 0o600
    entry = json.loads(trust_file(env).read_text())[str(project)]
    assert sorted(entry) == ["marks", "trusted"]


def test_it_is_known_by_its_real_path(env: Environment, tmp_path: Path) -> None:
    project = made(tmp_path / "project")
    (tmp_path / "link").symlink_to(project)
    remember(env, tmp_path / "link", ["a"])
    assert trust_in(env, project).marks == {"a"}
    assert trust_in(env, tmp_path / "link").marks == {"a"}


def test_it_covers_what_is_inside_but_no_other_repository(env: Environment, tmp_path: Path) -> None:
    work = made(tmp_path / "work")
    deep, clone = made(work / "a" / "b"), made(work / "clone" / ".git").parent
    beside = made(tmp_path / "work2")
    remember(env, work, [])
    assert trust_in(env, deep) == Trust(None, covered=True)
    assert trust_in(env, clone) == Trust(None, covered=False)
    assert trust_in(env, beside) == Trust(None, covered=False)
    remember(env, deep, ["a"])
    assert trust_in(env, deep) == Trust(frozenset("a"), covered=True)


def test_the_home_folder_and_the_root_cover_nothing(env: Environment) -> None:
    below = made(env.home / "below")
    remember(env, env.home, ["a"])
    remember(env, Path("/"), ["a"])
    assert trust_in(env, below) == Trust()
    assert trust_in(env, env.home).marks == {"a"}


def test_what_the_person_adds_is_known_only_where_the_folder_is(
    env: Environment, tmp_path: Path
) -> None:
    project, other = made(tmp_path / "project"), made(tmp_path / "other")
    remember(env, project, ["a"])
    approve(env, project, ["b"])
    approve(env, other, ["b"])
    assert trust_in(env, project).marks == {"a", "b"}
    assert trust_in(env, other).marks is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '"x"', "[" * 100_000, '{"PLACE": 7}', '{"PLACE": ["a"]}']
)
def test_a_file_that_cant_be_read_trusts_nothing(
    env: Environment, tmp_path: Path, text: str
) -> None:
    remember(env, tmp_path, ["a"])
    trust_file(env).write_text(text.replace("PLACE", str(tmp_path)))
    assert trust_in(env, tmp_path).marks is None


def test_marks_of_the_wrong_kind_are_none(env: Environment, tmp_path: Path) -> None:
    remember(env, tmp_path, ["a"])
    trust_file(env).write_text(json.dumps({str(tmp_path): {"marks": [7, "b"]}}))
    assert trust_in(env, tmp_path).marks == {"b"}
    trust_file(env).write_text(json.dumps({str(tmp_path): {"marks": "ab"}}))
    assert trust_in(env, tmp_path).marks == frozenset()


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_others_may_write_trusts_nothing(
    env: Environment, tmp_path: Path, mode: int
) -> None:
    remember(env, tmp_path, ["a"])
    trust_file(env).chmod(mode)
    assert trust_in(env, tmp_path).marks is None


def test_what_cant_be_written_is_said(env: Environment, tmp_path: Path) -> None:
    trust_file(env).mkdir(parents=True)
    (trust_file(env) / "x").touch()
    with pytest.raises(SettingsError, match=r"trust\.json can't be written"):
        remember(env, tmp_path, ["a"])
