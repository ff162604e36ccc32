"""What stands before git's subcommand, and its forms that only look."""

from __future__ import annotations

import pytest

from agent_tui.permissions.shell.git import looks_only, read_git
from tests.permissions.shell.reading import texts, words


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("git push x", ["push", "x"]),
        ("git -C /r push", ["push"]),
        ("git --git-dir=/r/.git --work-tree x push", ["push"]),
        ("git -c a=b --no-pager -P push -f", ["push", "-f"]),
        ("git -p -C $x push", ["push"]),
        ("git", []),
    ],
)
def test_the_subcommand_is_found(line: str, rest: list[str]) -> None:
    call = read_git(words(line))
    assert texts(call.words) == rest
    assert not call.unsure


def test_an_unknown_option_makes_it_unsure() -> None:
    assert read_git(words("git --new-option push")).unsure
    assert read_git(words("git -C$x push")).unsure


def test_settings_on_the_line_can_name_programs() -> None:
    assert read_git(words("git -c core.pager=x log")).sets_programs
    assert read_git(words("git --exec-path=/x log")).sets_programs
    assert not read_git(words("git -C x log")).sets_programs


@pytest.mark.parametrize(
    "line",
    [
        "git status -sb",
        "git diff HEAD~1 -- a",
        "git diff --stat --cached",
        "git log --oneline -5 --since='2 weeks'",
        "git log -n 5 -p --format='%h %s'",
        "git --no-pager show HEAD:a",
        "git branch -a",
        "git branch --list 'x*'",
        "git tag -l 'v*'",
        "git tag",
        "git remote -v",
        "git remote get-url origin",
        "git stash list",
        "git rev-parse --show-toplevel",
        "git blame -L 1,5 a",
        "git ls-files -m",
        "git grep -n x",
        "git reflog",
        "git config --get user.name",
        "git worktree list",
        "git --version",
    ],
)
def test_looks_are_known(line: str) -> None:
    assert looks_only(read_git(words(line))) is not None


@pytest.mark.parametrize(
    "line",
    [
        "git",
        "git push",
        "git --git-dir=x status",
        "git -c a=b status",
        "git diff --output=x",
        "git log --outp=x",
        "git diff --ext-diff",
        "git diff --textconv",
        "git diff --no-index a b",
        "git log --show-signature",
        "git log --format=%G?",
        "git log --format=$x",
        "git log $x",
        "git log *",
        "git branch new",
        "git branch -d x",
        "git branch -m x y",
        "git branch --sort=x new",
        "git tag v1",
        "git tag -a v1",
        "git remote add a b",
        "git remote show origin",
        "git stash",
        "git stash pop",
        "git reflog expire",
        "git reflog delete x",
        "git config user.name x",
        "git config --unset x",
        "git grep -O x",
        "git grep -Ovim x",
        "git grep --open-files-in-pager x",
        "git blame --contents x y",
        "git worktree add x",
        "git archive HEAD",
        "git fetch",
        "git help log",
        "git commit -m x",
        "git checkout .",
    ],
)
def test_what_may_do_more_is_not_a_look(line: str) -> None:
    assert looks_only(read_git(words(line))) is None
