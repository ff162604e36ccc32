"""Which of its own files a project's command runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.settings.scripts import scripts_in


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "s").mkdir(parents=True)
    for name in ("s/a.sh", "s/b", "log.txt", "data", "my tool.py", "x.json", "c", "pwn"):
        (folder / name).write_text("x\n")
    (folder / "s" / "b").chmod(0o755)
    (folder / "c").write_text("#!/bin/sh\n")
    (tmp_path / "outside.sh").write_text("x")
    return folder


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["s/a.sh"], "s/a.sh"),
        (["./s/a.sh --fast"], "s/a.sh"),
        (["s/b -x"], "s/b"),
        (["./c | tee log.txt"], "c"),
        (["sh data"], "data"),
        (["python3", "-u", "data"], "data"),
        (["bash -eu ./data >> log.txt"], "data"),
        ([". data; cat log.txt"], "data"),
        (["true && source data"], "data"),
        (['"$CLAUDE_PROJECT_DIR"/s/a.sh'], "s/a.sh"),
        (["${AGENT_TUI_PROJECT_DIR}/s/a.sh"], "s/a.sh"),
        (["'my tool.py' x"], "my tool.py"),
        (["my tool.py"], "my tool.py"),
        (["CHECK=s/a.sh run"], "s/a.sh"),
        (["sh -c 's/a.sh && rm log.txt'"], "s/a.sh"),
        (["sh", "-c", "touch pwn"], ""),
        (["sh -c 'touch pwn'"], ""),
        (["touch log.txt"], ""),
        (["jq . x.json"], ""),
        (["python3 -m tool; cat data"], ""),
        (["../outside.sh"], ""),
        (["s"], ""),
        ([], ""),
        (["echo 'never ends s/b"], "s/b"),
        (["\0", "x" * 5000], ""),
    ],
)
def test_what_is_run_is_found_and_what_is_read_or_written_is_not(
    project: Path, words: list[str], found: str
) -> None:
    given = [str(path.relative_to(project)) for path in scripts_in(words, project)]
    assert given == ([found] if found else [])


def test_a_link_out_of_the_project_is_not_its_own_file(project: Path) -> None:
    (project / "link.sh").symlink_to(project.parent / "outside.sh")
    assert scripts_in(["./link.sh"], project) == ()
