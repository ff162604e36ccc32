"""Which kinds there are: the built-in ones, a person's, a program's; what a clone brings is not taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.agents.kinds import find_kinds, read_folder
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.settings.paths import Environment


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    return Environment({}, tmp_path / "home")


def define(folder: Path, name: str, prompt: str = "x", file: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {name}\ndescription: for {name}\n---\n{prompt}"
    (folder / f"{file or name}.md").write_text(text)


def test_without_files_there_are_the_built_in_ones(env: Environment, tmp_path: Path) -> None:
    kinds = find_kinds(env, tmp_path)
    assert [one.name for one in kinds.definitions] == ["general-purpose", "Explore", "Plan"]
    assert kinds.notices == ()


def test_files_go_before_built_in_ones_ours_before_the_ecosystems_a_program_before_all(
    env: Environment, tmp_path: Path
) -> None:
    theirs, ours = env.home / ".claude" / "agents", env.home / ".agent-tui" / "agents"
    define(theirs, "Explore", "theirs")
    define(theirs / "deep", "zeta", "theirs")
    define(theirs, "both", "theirs")
    define(ours, "both", "ours")
    define(ours, "mine", "ours")
    mine = AgentDefinition("mine", "by a program", "program")
    kinds = find_kinds(env, tmp_path, (mine,))
    prompts = {one.name: one.prompt for one in kinds.definitions}
    assert list(prompts) == ["general-purpose", "Explore", "Plan", "both", "mine", "zeta"]
    assert prompts["Explore"] == "theirs"
    assert prompts["both"] == "ours"
    assert prompts["mine"] == "program"
    assert kinds.named("both") is not None
    assert kinds.notices == ()


def test_a_projects_kinds_are_taken_when_it_is_trusted(env: Environment, tmp_path: Path) -> None:
    project = tmp_path / "project"
    define(project / ".claude" / "agents", "helper")
    define(env.home / ".agent-tui" / "agents", "helper", "my own")
    assert find_kinds(env, project).named("helper") == find_kinds(env, tmp_path).named("helper")
    found = find_kinds(env, project, trusted=True).named("helper")
    assert found is not None
    assert (found.prompt, found.source) == ("x", "project")
    theirs = find_kinds(env, project, sources=("user",), trusted=True).named("helper")
    assert theirs is not None
    assert theirs.source == "user"


def test_a_projects_kind_cant_leave_approval_out(env: Environment, tmp_path: Path) -> None:
    for folder in (tmp_path / "project" / ".claude", env.home / ".claude"):
        place = folder / "agents"
        define(place, place.parts[-3])
        file = next(place.glob("*.md"))
        file.write_text(
            file.read_text().replace("---\nx", "permissionMode: bypassPermissions\n---\nx")
        )
    kinds = find_kinds(env, tmp_path / "project", trusted=True)
    theirs, mine = kinds.named("project"), kinds.named("home")
    assert theirs is not None
    assert mine is not None
    assert (theirs.permission_mode, mine.permission_mode) == (None, "bypassPermissions")


def test_the_home_folder_as_project_is_the_persons_own(env: Environment) -> None:
    define(env.home / ".claude" / "agents", "own")
    kinds = find_kinds(env, env.home)
    assert kinds.named("own") is not None
    assert kinds.notices == ()
    assert find_kinds(env, env.home, sources=("project",)).named("own") is None


def test_bad_files_are_told_with_file_and_line_and_cost_the_others_nothing(
    env: Environment, tmp_path: Path
) -> None:
    folder = env.home / ".claude" / "agents"
    define(folder, "good")
    (folder / "bad.md").write_text("---\nname: bad\nmaxTurns: x\ndescription: y\n---\nz")
    kinds = find_kinds(env, tmp_path)
    assert kinds.named("good") is not None
    assert kinds.named("bad") is None
    assert [notice.partition(": ")[0] for notice in kinds.notices] == [f"{folder / 'bad.md'}:3"]


def test_of_two_files_with_one_name_the_first_counts(tmp_path: Path) -> None:
    define(tmp_path, "same", "first", "a")
    define(tmp_path, "same", "second", "b")
    found, notices = read_folder(tmp_path, "user")
    assert found["same"].prompt == "first"
    assert [str(tmp_path / "b.md") in notice for notice in notices] == [True]


def test_a_name_is_taken_as_it_is_written(env: Environment, tmp_path: Path) -> None:
    kinds = find_kinds(env, tmp_path)
    assert kinds.named("Plan") is not None
    assert kinds.named("plan") is None  # a rule that forbids Plan would not forbid it
