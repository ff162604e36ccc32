"""Lists of stored sessions."""

from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path
from typing import Any

import pytest

from agent_tui.journal.entries import TitleEntry
from agent_tui.journal.peek import Peek
from agent_tui.sdk.session_changes import tag_session
from agent_tui.sdk.session_info import described, get_session_info, list_sessions, milliseconds
from agent_tui.settings.paths import Environment, root
from tests.sdk.stored import NOBODY, a_session, line, new_story, parallel, save, save_lines


def ids(found: list[Any]) -> list[str]:
    return [one.session_id for one in found]


def test_sessions_are_listed_newest_first_by_project(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    stories = [a_session(here, "one"), a_session(here, "two"), a_session(there, "three")]
    for age, story in zip((30, 10, 20), stories, strict=True):
        save(story, Path(story.stamp.cwd), age=age)
    one, two, three = (story.session_id for story in stories)
    assert ids(list_sessions(str(here))) == [two, one]
    assert ids(list_sessions()) == [two, three, one]
    assert ids(list_sessions(limit=1, offset=1)) == [three]
    assert ids(list_sessions(limit=0, offset=2)) == [one]
    assert list_sessions(str(tmp_path)) == []


def test_a_session_tells_what_is_known_of_it(tmp_path: Path) -> None:
    story = a_session(tmp_path, "fix it", title="Mine")
    path = save(story, tmp_path, age=5)
    tag_session(story.session_id, "good")
    [info] = list_sessions(str(tmp_path))
    assert (info.session_id, info.summary, info.custom_title) == (story.session_id, "Mine", "Mine")
    assert (info.first_prompt, info.git_branch, info.cwd) == ("fix it", "main", str(tmp_path))
    assert (info.tag, info.created_at) == ("good", 1_772_366_400_000)
    assert info.file_size == path.stat().st_size
    assert info.last_modified == int(path.stat().st_mtime * 1000)
    assert get_session_info(story.session_id) == info
    assert get_session_info(story.session_id, str(tmp_path)) == info


def test_what_is_no_session_of_its_own_is_none(tmp_path: Path) -> None:
    silent = new_story(tmp_path)
    silent.started()
    save(silent, tmp_path)
    side = new_story(tmp_path)
    path = save(side, tmp_path)
    save_lines([line("user", "u", None, "hi", isSidechain=True)], path)
    assert get_session_info(silent.session_id) is None
    assert get_session_info(side.session_id) is None
    assert get_session_info(NOBODY) is None
    assert get_session_info("nonsense") is None
    assert list_sessions() == []


def test_sessions_of_other_trees_are_listed_too(tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    main.mkdir()
    for command in (
        ["git", "init", "-q"],
        ["git", "commit", "-q", "--allow-empty", "-m", "x"],
        ["git", "worktree", "add", "-q", str(tree)],
    ):
        subprocess.run(command, cwd=main, check=True, capture_output=True)
    one, two = a_session(main), a_session(tree)
    save(one, main, age=1)
    save(two, tree)
    assert ids(list_sessions(str(main))) == [two.session_id, one.session_id]
    assert ids(list_sessions(str(main), include_worktrees=False)) == [one.session_id]


def test_the_peer_lists_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root(Environment.of_process())))
    plain, titled, tagged = (a_session(tmp_path, word) for word in ("one", "two", "three"))
    titled.add(TitleEntry(titled.header(), "made up", generated=True))
    for age, story in enumerate((plain, titled, tagged)):
        save(story, tmp_path, age=age)
    tag_session(tagged.session_id, "t")
    mine, theirs = list_sessions(str(tmp_path)), peer.list_sessions(directory=str(tmp_path))
    assert [vars(one) for one in mine] == [vars(one) for one in theirs]
    assert dataclasses.asdict(mine[0]) == vars(peer.get_session_info(mine[0].session_id))


def test_foreign_lines_are_described_too() -> None:
    seen = Peek("", "sdk", "go", "go", created="not a time")
    info = described(NOBODY, seen, 5)
    assert (info.cwd, info.file_size, info.created_at, info.tag) == (None, None, None, None)
    assert milliseconds("2026-03-01T12:00:00.000Z") == 1_772_366_400_000
    assert parallel()[0]["timestamp"] == "2026-03-01T12:00:00.000Z"
