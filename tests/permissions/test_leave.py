"""What runs unasked: looks and edits."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.permissions.policy import Allowed
from tests.permissions.ground import Project

LISTS = Path(__file__).parents[1] / "data"
LOOKING = (LISTS / "looking-lines.txt").read_text("utf-8").splitlines()
ASKED = (LISTS / "asked-lines.txt").read_text("utf-8").splitlines()
NEW_LINE = "\u23ce"


@pytest.fixture
def crowded(project: Project) -> Project:
    """A project with links that lead out and repositories that aren't its own."""
    (project.folder / "full" / "src").mkdir(parents=True)
    (project.folder / "evil" / ".git").mkdir(parents=True)
    (project.folder / "bare" / "objects").mkdir(parents=True)
    (project.folder / "bare" / "HEAD").touch()
    (project.folder / "link").symlink_to("/etc")
    (project.folder / "hl").symlink_to("/etc/passwd")
    return project


@pytest.mark.parametrize("line", LOOKING)
def test_looking_needs_no_question(crowded: Project, line: str) -> None:
    decided = crowded.bash(line.replace(NEW_LINE, "\n"))
    assert decided == Allowed("read_only")
    assert crowded.bash(line.replace(NEW_LINE, "\n"), mode="plan") == Allowed("read_only")
    assert crowded.bash(line.replace(NEW_LINE, "\n"), mode="dontAsk") == Allowed("read_only")


@pytest.mark.parametrize("line", ASKED)
def test_what_may_do_more_is_asked(crowded: Project, line: str) -> None:
    assert not isinstance(crowded.bash(line.replace(NEW_LINE, "\n")), Allowed)


@pytest.mark.parametrize(
    "line",
    [
        "mkdir -p a/b",
        "touch a b",
        "cp src/a src/b",
        "cp -r src lib",
        "mv src/a b",
        "sed -i 's/a/b/g' src/a",
        "echo x > a",
        "ls | sort > a",
        "cat <<E > a\u23cex\u23ceE",
        "mkdir a && touch a/b && cp a/b c",
        "LANG=C touch a",
        "timeout 5 touch a",
        "git status && touch a",
        "tee a",
        "cd src && touch a",
    ],
)
def test_plain_edits_run_where_edits_are_accepted(crowded: Project, line: str) -> None:
    assert crowded.bash(line.replace(NEW_LINE, "\n"), mode="acceptEdits") == Allowed("mode")
    assert not isinstance(crowded.bash(line.replace(NEW_LINE, "\n")), Allowed)


@pytest.mark.parametrize(
    "line",
    [
        "touch /var/a",
        "touch ~/a",
        "touch ../a",
        "touch link/a",
        "touch $x",
        "touch *",
        "cp /etc/passwd a",
        "cp src/a /var/b",
        "cp -t ~ src/a",
        "mv ~/a b",
        "rm a",
        "rm -rf src",
        "rmdir src",
        "chmod +x a",
        "ln -s a b",
        "sed -i '1e x' a",
        "sed -i 's/a/b/w x' a",
        "FOO=1 touch a",
        "PATH=. touch a",
        "./touch a",
        "ls | xargs touch",
        "find . -exec touch a +",
        "sudo touch a",
        "bash -c 'touch a'",
        "touch a; make",
        "touch a > ~/b",
        "cd /var && touch a",
        "npm test > a",
        "touch .git/x",
        "cp -r evil/. .",
        "cp -r src full",
        "echo x > $x",
        "tee /var/a",
        "dd of=a",
    ],
)
def test_other_changes_are_asked_even_there(crowded: Project, line: str) -> None:
    assert not isinstance(crowded.bash(line, mode="acceptEdits"), Allowed)


def test_git_looks_at_another_folder_of_the_project(crowded: Project) -> None:
    for line in ("git -C src log", "git -C . -C src status"):
        assert crowded.bash(line) == Allowed("read_only"), line
    for line in ("git -C evil log", "git -C bare log", "git -C .. log", "git -C $x log"):
        assert not isinstance(crowded.bash(line), Allowed), line


def test_a_file_whose_name_reads_like_an_option_is_asked(project: Project) -> None:
    assert project.bash("wc *") == Allowed("read_only")
    (project.folder / "--files0-from=x").touch()
    assert not isinstance(project.bash("wc *"), Allowed)
    assert project.bash("wc ./*") == Allowed("read_only")
    assert project.bash("wc -- src") == Allowed("read_only")


def test_more_words_from_the_input_are_only_for_programs_that_print_them(crowded: Project) -> None:
    assert crowded.bash("ls | xargs echo") == Allowed("read_only")
    assert crowded.bash("ls | xargs dirname") == Allowed("read_only")
    for line in ("ls | xargs git log", "ls | xargs date", "ls | xargs cat"):
        assert not isinstance(crowded.bash(line), Allowed), line
