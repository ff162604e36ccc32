"""Where the shell may be, from part to part."""

from __future__ import annotations

import pytest

from agent_tui.permissions.folders import Folders
from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.targets import Scope
from tests.permissions.ground import Project


def where(project: Project, line: str) -> list[str] | None:
    """Give the folders the shell may be in before the line's last part."""
    analysis, ground = analyse(line), project.ground()
    folders = Folders(analysis, ground)
    for part in analysis.parts[:-1]:
        folders.follow(part, Scope(ground, folders.now, analysis.variables))
    start = str(project.folder)
    return (
        None
        if folders.now is None
        else sorted({f.replace(start, "P").replace(str(project.home), "~") for f in folders.now})
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a; b", ["P"]),
        ("cd src && a", ["P", "P/src"]),
        ("cd src; cd x; a", ["P", "P/src", "P/src/x", "P/x"]),
        ("cd /etc || a", ["/etc", "P"]),
        ("cd; a", ["P", "~"]),
        ("cd -P -- src && a", ["P", "P/src"]),
        ("command cd src; a", ["P", "P/src"]),
        ("(cd src); a", ["P", "P/src"]),
        ("v=src; cd $v; a", None),
        ("cd -; a", None),
        ("cd $x; a", None),
        ("pushd src; a", None),
        ("env -C src a; b", None),
        ("while a; do cd ..; done; b", None),
        ("f() { cd src; }; a", None),
        ("eval 'cd src'; a", None),
        ("a; a; cd -- ''; a", ["P", "P/"]),
    ],
)
def test_cd_is_followed(project: Project, line: str, expected: list[str] | None) -> None:
    found = where(project, line)
    assert found == expected


def test_a_folder_behind_a_link_may_be_either(project: Project) -> None:
    (project.folder / "l").symlink_to("/etc/apt")
    found = where(project, "cd l/..; a")
    assert found == ["P", "P/l/.."]


def test_too_many_folders_are_anywhere(project: Project) -> None:
    assert where(project, "; ".join(f"cd d{i}" for i in range(9)) + "; a") is None
