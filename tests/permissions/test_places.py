"""Inside, protected, critical."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.permissions.places import Ground, is_protected_name, steers_the_agent
from agent_tui.permissions.resolver import RealResolver
from tests.permissions.ground import Project


def test_a_path_is_inside_by_name_and_by_file(project: Project, tmp_path: Path) -> None:
    (project.folder / "out").symlink_to("/etc")
    (tmp_path / "in").symlink_to(project.folder)
    ground = project.ground()
    assert ground.is_inside(str(project.folder))
    assert ground.is_inside(str(project.folder / "src" / ".." / "x"))
    assert not ground.is_inside(str(project.folder / "out" / "passwd"))
    assert not ground.is_inside(str(project.folder / "src" / ".." / ".." / "x"))
    assert not ground.is_inside(str(tmp_path / "in" / "x"))
    assert not ground.is_inside(f"{project.folder}x")
    assert project.ground(tmp_path).is_inside(str(tmp_path / "y"))


def test_behind_a_link_two_dots_lead_elsewhere(project: Project) -> None:
    (project.folder / "etc").symlink_to("/etc/apt")
    assert not project.ground().is_inside(f"{project.folder}/etc/../passwd")


def test_a_folder_reached_through_a_link_is_itself(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    linked = Project.below(tmp_path)
    through = Project(tmp_path / "link" / "work" / "project", linked.home)
    ground = through.ground()
    assert ground.is_inside(str(through.folder / "x"))
    assert ground.is_inside(str(linked.folder / "x"))
    assert ground.leads_to(str(through.folder / "x")) == ""
    (linked.folder / "y").symlink_to("x")
    assert ground.leads_to(str(through.folder / "y")) == str(linked.folder.resolve() / "x")


def test_our_own_folder_is_not_read_because_home_is_the_project(project: Project) -> None:
    at_home = Project(project.home, project.home)
    ground = at_home.ground()
    assert ground.is_inside(str(project.home / "notes"))
    assert not ground.is_inside(str(project.home / ".agent-tui" / "credentials.json"))
    spill = project.home / ".agent-tui" / "projects" / "p" / "spill"
    assert at_home.ground(spill).is_inside(str(spill / "x.txt"))


def test_protected_names_are_known_at_any_depth() -> None:
    for path in (
        "/p/.git/config",
        "/p/a/.GIT/x",
        "/p/.bashrc",
        "/p/.claude/settings.json",
        "/h/.config/git/x",
        "/p/.mcp.json",
        "/p/.vscode/tasks.json",
    ):
        assert is_protected_name(path), path
    for path in (
        "/p/.gitignore",
        "/p/git/x",
        "/p/.config/x",
        "/p/.claude/worktrees/a/b",
        "/p/a.bashrc",
    ):
        assert not is_protected_name(path), path
    assert is_protected_name("/p/.claude/worktrees/a/.git/config")


def test_a_link_to_a_protected_place_is_protected(project: Project) -> None:
    (project.folder / "hooks").symlink_to(".git/hooks")
    ground = project.ground()
    assert ground.protected(str(project.folder / "hooks" / "pre-commit"))
    assert ground.protected(str(project.home / ".agent-tui" / "x"))
    assert not ground.protected(str(project.folder / "src" / "x"))


def test_a_folder_that_holds_protected_names_is_known(project: Project) -> None:
    (project.folder / "kit" / ".git").mkdir(parents=True)
    assert project.ground().holds_protected(str(project.folder / "kit"))
    assert not project.ground().holds_protected(str(project.folder / "src"))


def test_critical_paths(project: Project, tmp_path: Path) -> None:
    ground = project.ground(tmp_path / "more")
    for path in (
        "/",
        "/usr",
        "/usr/..",
        str(project.home),
        str(project.folder),
        str(project.folder.parent),
        f"{project.folder}/src/..",
    ):
        assert ground.critical(path), path
    for path in (f"{project.folder}/src", "/usr/lib/x", f"{project.home}/x"):
        assert not ground.critical(path), path
    assert ground.critical_glob(str(project.folder), "*")
    assert ground.critical_glob("/", "*")
    assert ground.critical_glob(str(tmp_path / "more"), "*.txt")
    assert not ground.critical_glob(str(project.folder), "*.txt")
    assert not ground.critical_glob(f"{project.folder}/src", "*")


def test_paths_of_the_process_itself_can_be_anything(project: Project) -> None:
    ground = project.ground()
    assert ground.unknowable("/proc/self/cwd/.env")
    assert ground.unknowable("/proc/1/root/etc/passwd")
    assert ground.unknowable("/dev/fd/3")
    for path in ("//proc//self/cwd/f", "/./proc/self/cwd/f", "/x/../proc/self/cwd/f", "/dev//fd/3"):
        assert ground.unknowable(path), path
    assert not ground.unknowable("/proc/cpuinfo")


def test_our_own_folder_is_known_by_every_way_to_it(project: Project) -> None:
    own = project.home / ".agent-tui"
    own.mkdir()
    (project.folder / "link").symlink_to(own)
    ground = project.ground()
    for path in (own, own / "trust.json", project.folder / "link" / "settings.json"):
        assert ground.own(str(path)), path
    for path in (project.home / ".claude" / "x", project.folder / ".agent-tui", f"{own}x"):
        assert not ground.own(str(path)), path


def test_the_scripts_that_run_unasked_are_protected_and_may_be_read(project: Project) -> None:
    script = str(project.folder / "scripts" / "check.sh")
    resolver = RealResolver(str(project.home), steering=(script,))
    ground = Ground((str(project.folder),), str(project.folder), resolver)
    assert ground.protected(script)
    assert ground.is_inside(script)
    assert not ground.private(script)
    assert not ground.own(script)
    assert not ground.protected(str(project.folder / "scripts" / "other.sh"))


@pytest.mark.parametrize(
    ("path", "steers"),
    [
        ("/p/.claude/settings.json", True),
        ("/p/.Claude/agents/a.md", True),
        ("/p/.claude", True),
        ("/p/.mcp.json", True),
        ("/home/me/.agent-tui/trust.json", True),
        ("/home/me/.claude.json", True),
        ("/p/.claude/worktrees/a/x.py", False),
        ("/p/.git/config", False),
        ("/p/mcp.json", False),
    ],
)
def test_what_steers_the_agent_itself_is_told_from_other_protected_places(
    path: str, steers: bool
) -> None:
    assert steers_the_agent(path) == steers
