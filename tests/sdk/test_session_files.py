"""Where stored sessions are."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from agent_tui.sdk.session_files import (
    agent_of,
    needed_file,
    parents,
    project_key_for_directory,
    session_file,
    side_files,
    subpath_of,
)
from tests.sdk.stored import NOBODY, a_session, save, save_agent, save_lines


@pytest.mark.parametrize("name", ["plain", "spaced out", "ünï", "n" * 120 + "/" + "m" * 120])
def test_the_projects_key_is_the_peers(name: str, tmp_path: Path) -> None:
    peer: Any = pytest.importorskip("claude_agent_sdk", reason="pip install agent-tui[peer]")
    folder = tmp_path / name
    folder.mkdir(parents=True)
    assert project_key_for_directory(folder) == peer.project_key_for_directory(str(folder))
    assert project_key_for_directory(str(folder)) == project_key_for_directory(folder)


def test_without_a_folder_it_is_the_current_one(clean_room: Path) -> None:
    assert project_key_for_directory() == project_key_for_directory(clean_room / "work")


def test_a_session_is_found_here_or_everywhere(tmp_path: Path) -> None:
    one = a_session(tmp_path / "a")
    path = save(one, tmp_path / "a")
    assert session_file(one.session_id) == path
    assert session_file(one.session_id, str(tmp_path / "a")) == path
    assert session_file(one.session_id, str(tmp_path / "b")) is None
    assert session_file(NOBODY) is None
    assert session_file("../../etc/passwd") is None
    assert needed_file(one.session_id) == path


def test_an_empty_file_is_no_session(tmp_path: Path) -> None:
    story = a_session(tmp_path)
    save(story, tmp_path).write_bytes(b"")
    assert session_file(story.session_id) is None


def test_the_folder_is_moved_by_the_environment_at_every_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = a_session(tmp_path)
    save(story, tmp_path)
    monkeypatch.setenv("AGENT_TUI_HOME", str(tmp_path / "elsewhere"))
    assert session_file(story.session_id) is None
    path = save(story, tmp_path)
    assert path.is_relative_to(tmp_path / "elsewhere")
    assert session_file(story.session_id) == path


def test_a_session_of_another_tree_of_the_repository_is_found(tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    main.mkdir()
    for command in (
        ["git", "init", "-q"],
        ["git", "commit", "-q", "--allow-empty", "-m", "x"],
        ["git", "worktree", "add", "-q", str(tree)],
    ):
        subprocess.run(command, cwd=main, check=True, capture_output=True)
    story = a_session(tree)
    path = save(story, tree)
    assert session_file(story.session_id, str(main)) == path


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no session id"):
        needed_file("nonsense")
    with pytest.raises(FileNotFoundError, match=f"{NOBODY} in the project of {tmp_path}"):
        needed_file(NOBODY, str(tmp_path))


def test_sub_agents_lie_beside_their_session_however_deep(tmp_path: Path) -> None:
    path = save(a_session(tmp_path), tmp_path)
    assert side_files(path) == {}
    save_agent(path, "one", "x")
    deep = path.with_suffix("") / "subagents" / "workflows" / "run" / "agent-two.jsonl"
    save_lines([], deep)
    found = side_files(path)
    assert set(found) == {"one", "two"}
    assert subpath_of(path, found["one"]) == "subagents/agent-one"
    assert subpath_of(path, found["two"]) == "subagents/workflows/run/agent-two"


def test_subpaths_name_sub_agents() -> None:
    assert agent_of("subagents/agent-x") == "x"
    assert agent_of("subagents/workflows/r/agent-y") == "y"
    for other in ("subagents/agent-", "subagents/x", "agent-x", "other/agent-x"):
        assert agent_of(other) is None


def test_notes_of_an_odd_form_tell_nothing() -> None:
    assert parents({"toolUseId": "t", "parentAgentId": "p"}) == ("t", "p")
    assert parents({"toolUseId": 5, "parentAgentId": ""}) == (None, None)
