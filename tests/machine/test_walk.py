"""Walking as ripgrep does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_tui.machine.search import find_ripgrep
from agent_tui.machine.walk import Walk

RIPGREP = find_ripgrep()

PARTS = st.sampled_from(["a", "b.txt", "c", ".d"])
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
PATTERNS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(
        st.sampled_from(["a", "b*", "*.txt", "c", ".d", "**", "*", "?", "{a,c}"]),
        min_size=1,
        max_size=3,
    ).map("/".join),
    st.sampled_from(["", "/"]),
)


def make(root: Path, files: list[str], ignores: dict[str, list[str]]) -> None:
    for name in files:
        file = root / name
        if any(part.is_file() for part in (file, *file.parents)) or file.is_dir():
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    for name, lines in ignores.items():
        if (root / name).parent.is_dir():
            (root / name).write_text("\n".join(lines))


@pytest.mark.skipif(RIPGREP is None, reason="needs ripgrep to compare with")
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    files=st.lists(PATHS, min_size=1, max_size=12),
    git=st.lists(PATTERNS, max_size=3),
    deeper=st.lists(PATTERNS, max_size=2),
    other=st.lists(PATTERNS, max_size=2),
    globs=st.lists(PATTERNS, max_size=2),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
def test_the_same_files_as_ripgrep_in_the_same_order(
    files: list[str],
    git: list[str],
    deeper: list[str],
    other: list[str],
    globs: list[str],
    flags: tuple[bool, bool, bool],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    hidden, no_ignore, inside = flags
    root = tmp_path_factory.mktemp("walk")
    make(root, [*files, "a/x"], {".gitignore": git, "a/.gitignore": deeper, "a/.ignore": other})
    # ripgrep 14 reads patterns with folders wrongly when they stand above where it starts
    plain = not any("/" in pattern.strip("!/") or "/" in pattern[:2] for pattern in git)
    start = root / "a" if inside and plain and (root / "a").is_dir() else root
    options = ["--hidden"] if hidden else []
    options += ["--no-ignore"] if no_ignore else []
    done = subprocess.run(
        [
            str(RIPGREP),
            "--no-config",
            "--no-messages",
            "--no-ignore-global",
            "--no-require-git",
            "--files",
            "--sort=path",
            *options,
            *(f"--glob={glob}" for glob in globs),
            "--",
            "./",
        ],
        cwd=start,
        capture_output=True,
        text=True,
        check=False,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(start)
        found = list(Walk(tuple(globs), hidden=hidden, no_ignore=no_ignore).files())
    assert found == done.stdout.splitlines()


def test_links_are_not_followed_and_names_are_filtered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, ["a.py", "b.txt", "sub/c.py"], {})
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "l.py").symlink_to("a.py")
    monkeypatch.chdir(tmp_path)
    walk = Walk((), ("*.py",), hidden=True, no_ignore=False)
    assert list(walk.files()) == ["./a.py", "./sub/c.py"]


def test_an_ignore_file_that_is_none_keeps_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, ["a.py"], {})
    os.mkfifo(tmp_path / ".gitignore")
    (tmp_path / ".ignore").symlink_to("/dev/zero")
    monkeypatch.chdir(tmp_path)
    assert list(Walk((), hidden=False, no_ignore=False).files()) == ["./a.py"]


def test_a_repository_stops_the_git_files_above_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, ["repo/a.log", "repo/b.tmp"], {".gitignore": ["*.log"], ".ignore": ["*.tmp"]})
    (tmp_path / "repo" / ".git" / "info").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repo")
    assert list(Walk((), hidden=False, no_ignore=False).files()) == ["./a.log"]
    (tmp_path / "repo" / ".git" / "info" / "exclude").write_text("a.*\n")
    assert list(Walk((), hidden=False, no_ignore=False).files()) == []
