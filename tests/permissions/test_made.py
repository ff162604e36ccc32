from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.permissions.made import about_to_change, about_to_make
from tests.permissions.ground import Project


def names(project: Project, line: str) -> list[str]:
    found = about_to_make(line, project.ground())
    return [str(Path(path).relative_to(project.folder)) for path in found]


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("touch a b", ["a", "b"]),
        ("mkdir -p x/y", ["x/y"]),
        ("cd src && touch n", ["n", "src/n"]),
        ("echo hi > out.txt 2>> log", ["out.txt", "log"]),
        ("cp src/a copy", ["copy"]),
        ("touch /var/elsewhere ../up", []),
        ("python3 -c 'open(1)'", []),
        ("touch $UNKNOWN", []),
        ("touch 'unfinished", []),
        ("touch src", []),
    ],
)
def test_what_is_plainly_named_and_not_there_is_about_to_be_made(
    project: Project, line: str, made: list[str]
) -> None:
    assert [name for name in names(project, line) if "copy/" not in name] == made


def test_very_many_are_not_followed(project: Project) -> None:
    assert names(project, "touch " + " ".join(f"f{n}" for n in range(101))) == []


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("echo hi > src/a", {"src/a": False}),
        ("rm -f src/a src/none", {"src/a": True, "src/none": True}),
        ("cd src && rm a", {"a": True, "src/a": True}),
        ("sed -i s/a/b/ src/a", {"src/a": False}),
        ("python3 x.py >> log", {"log": False}),
        ("cat src/a", {}),
        ("rm 'unfinished", {}),
    ],
)
def test_what_is_named_to_be_written_or_removed_is_about_to_change(
    project: Project, line: str, named: dict[str, bool]
) -> None:
    found = about_to_change(line, project.ground())
    told = {str(Path(path).relative_to(project.folder)): gone for path, gone in found.items()}
    assert told == named


def test_what_is_moved_is_written_there_and_removed_here(project: Project) -> None:
    found = about_to_change("mv src/a b", project.ground())
    assert found[str(project.folder / "src/a")] is True
    assert found[str(project.folder / "b")] is False
