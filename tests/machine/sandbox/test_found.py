"""Looking through folders: what is found, how far."""

from __future__ import annotations

from pathlib import Path

from agent_tui.machine.sandbox.bounds import Bounds
from agent_tui.machine.sandbox.found import look

BOUNDS = Bounds(
    "/home",
    protected_folders=frozenset({".git", ".vscode", ".claude"}),
    protected_files=frozenset({".npmrc"}),
)


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(exist_ok=True) if name.endswith("/") else path.write_text("")


def test_protected_names_are_found_so_deep_and_not_in_other_peoples_code(tmp_path: Path) -> None:
    make(
        tmp_path,
        ".vscode/a",
        "p/.NPMRC",
        "p/q/.vscode/",
        "p/q/r/.npmrc",
        "node_modules/x/.npmrc",
        ".claude/worktrees/w/a",
    )
    (tmp_path / "link").symlink_to(tmp_path / "p")
    found = look((str(tmp_path),), BOUNDS)
    assert sorted(found.protected) == [
        f"{tmp_path}/{name}" for name in (".claude", ".vscode", "p/.NPMRC", "p/q/.vscode")
    ]
    assert found.opened == [f"{tmp_path}/.claude/worktrees"]
    assert found.forbidden == []


def test_of_a_repository_only_what_runs_programs_is_protected(tmp_path: Path) -> None:
    make(
        tmp_path,
        ".git/HEAD",
        ".git/config",
        ".git/hooks/",
        ".git/objects/",
        ".git/modules/a/b/HEAD",
        ".git/modules/a/b/config",
    )
    make(tmp_path, "empty/.git/", "tree/.git")
    found = look((str(tmp_path),), BOUNDS)
    assert found.pinned == [f"{tmp_path}/.git"]
    assert sorted(found.protected) == [
        f"{tmp_path}/{name}"
        for name in (
            ".git/config",
            ".git/hooks",
            ".git/modules/a/b/config",
            "empty/.git",
            "tree/.git",
        )
    ]


def test_files_that_may_not_be_read_are_found_everywhere(tmp_path: Path) -> None:
    make(tmp_path, "a/b/c/d/.env", "node_modules/x/.env", "private/key", "ok")
    bounds = Bounds("/home", may_read=lambda path: not path.endswith(("/.env", "/private")))
    found = look((str(tmp_path), "/nowhere"), bounds)
    assert sorted(found.forbidden) == [
        f"{tmp_path}/{name}" for name in ("a/b/c/d/.env", "node_modules/x/.env", "private")
    ]
