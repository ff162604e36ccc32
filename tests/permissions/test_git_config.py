"""What git would run in a repository, read without git; where it counts, git itself is the judge."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agent_tui.permissions.git_config import (
    BadConfigError,
    Setting,
    origin_of,
    parse,
    repository_of,
    runs_in,
    settings_of,
)
from agent_tui.permissions.policy import Allowed, Denied, MustAsk
from agent_tui.protocol.messages import PermissionMode
from tests.permissions.ground import Project

NAME = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main")


def git(folder: Path, *arguments: str) -> str:
    """Run git as the person would, without settings of their own."""
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *NAME, "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env=env,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.txt").write_text("one\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


def configure(folder: Path, text: str) -> None:
    with (folder / ".git" / "config").open("a") as file:
        file.write(text)


# Reading --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[core]\n\tfsmonitor = touch pwn\n",
        "[CORE] FsMonitor=touch pwn",
        "[core]fsmonitor=touch pwn # a comment",
        '[core]\nfsmonitor = "touch" pwn ; a comment',
        "[core]\nfsmonitor = touch\\\n pwn\n",
        '[core]\nfsmonitor = touch "p\\"w\\\\n"\n',
        "[core]\nfsmonitor\n[diff]\nexternal = x\n",
        "[core]\nfsmonitor =\n",
        "\ufeff[core]\r\n\tfsmonitor = touch pwn\r\n",
        '[diff "a.B \\"q"]\ntextConv = x\n[diff.old]\ncommand = y\n',
        "# nothing\n; at all\n\n",
        "[core]\n  fsmonitor   =   touch    pwn   \n",
    ],
)
def test_a_file_is_read_as_git_reads_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config"
    path.write_text(text, newline="")
    done = git(tmp_path, "config", "--null", "--list", "--file", str(path))
    theirs = [entry.partition("\n") for entry in done.split("\0") if entry]
    assert parse(text) == [Setting(key, value if mark else "true") for key, mark, value in theirs]


@pytest.mark.parametrize(
    "text",
    ["[core\nx = 1", '[core "x]\n', "[core]\nx = \"1", "[core]\nx = \\q", "[core]\n7 = 1", "[core]\nx y = 1", "[]\n"],
)  # fmt: skip
def test_what_git_would_refuse_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config"
    path.write_text(text)
    with pytest.raises(subprocess.CalledProcessError):
        git(tmp_path, "config", "--list", "--file", str(path))
    with pytest.raises(BadConfigError):
        parse(text)


# What runs ------------------------------------------------------------------------------------------------------------


def test_an_ordinary_repository_runs_nothing(repo: Path, tmp_path: Path) -> None:
    assert runs_in(repo) == ""
    (repo / "deep").mkdir()
    assert runs_in(repo / "deep") == ""
    assert runs_in(tmp_path) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[core]\nfsmonitor = touch pwn5", "core.fsmonitor"),
        ("[core]\nFSMonitor = .git/hooks/x", "core.fsmonitor"),
        ("[core]\npager = sh -c x", "core.pager"),
        ("[pager]\nstatus = x", "pager.status"),
        ("[diff]\nexternal = x", "diff.external"),
        ('[diff "pdf"]\ntextconv = x', "diff.pdf.textconv"),
        ('[diff "pdf"]\ncommand = x', "diff.pdf.command"),
        ('[filter "f"]\nclean = x', "filter.f.clean"),
        ('[filter "f"]\nsmudge = x', "filter.f.smudge"),
        ('[filter "a.b"]\nprocess = x', "filter.a.b.process"),
        ('[merge "m"]\ndriver = x', "merge.m.driver"),
        ("[gpg]\nprogram = x", "gpg.program"),
        ('[gpg "ssh"]\nprogram = x', "gpg.ssh.program"),
        ("[core]\nalternateRefsCommand = x", "core.alternaterefscommand"),
        ("[alias]\nwhatchanged = !x", "alias.whatchanged"),
        ('[remote "o"]\npromisor = true', "remote.o.promisor"),
        ("[extensions]\npartialClone = o", "extensions.partialclone"),
        ("[core]\nworktree = /", "core.worktree"),
        ("[core]\nbroken", ""),
        ("[core", "can't be understood"),
    ],
)
def test_a11_what_a_look_would_start_is_named(repo: Path, text: str, why: str) -> None:
    configure(repo, f"\n{text}\n")
    assert why in runs_in(repo)
    assert bool(runs_in(repo)) == bool(why)


@pytest.mark.parametrize(
    "text",
    [
        "[core]\nfsmonitor = true",
        "[core]\nfsmonitor = ",
        "[core]\npager = less",
        "[pager]\nlog = false",
        "[core]\nsshCommand = ssh -i key",
        "[alias]\nst = !status",
        "[credential]\nhelper = !x",
        "[core]\nhooksPath = .husky/_",
        '[remote "o"]\npromisor = false',
        "[include]\npath = gone",
        "[core]\nworktree = ..",
        '[url "x"]\ninsteadOf = y',
    ],
)
def test_what_a_look_never_starts_is_no_matter(repo: Path, text: str) -> None:
    configure(repo, f"\n{text}\n")
    assert runs_in(repo) == ""


def test_files_that_are_included_count(repo: Path, tmp_path: Path) -> None:
    (repo / "evil").write_text("[include]\npath = more\n")
    (repo / "more").write_text("[core]\nfsmonitor = x\n[include]\npath = evil\n")
    configure(repo, "[include]\npath = ../evil\n")
    assert runs_in(repo) == "core.fsmonitor"
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    configure(other, f'[includeIf "onbranch:never"]\npath = {repo / "more"}\n')
    assert runs_in(other) == "core.fsmonitor"


def test_files_without_end_and_no_files_are_not_understood(repo: Path) -> None:
    for number in range(60):
        (repo / str(number)).write_text(f"[include]\npath = {number + 1}\n")
    configure(repo, "[include]\npath = ../0\n")
    assert "too many included files" in runs_in(repo)
    (repo / ".git" / "config").unlink()
    os.mkfifo(repo / ".git" / "config")
    assert "can't be read" in runs_in(repo)


def test_the_hook_that_a_look_starts_is_named_wherever_it_stands(repo: Path) -> None:
    sample = repo / ".git" / "hooks" / "post-index-change"
    sample.parent.mkdir(exist_ok=True)
    sample.write_text("#!/bin/sh\n")
    assert runs_in(repo) == "the hook post-index-change"
    sample.unlink()
    configure(repo, "[core]\nhooksPath = hooks\n")
    (repo / "hooks").mkdir()
    (repo / "hooks" / "pre-commit").write_text("#!/bin/sh\n")
    assert runs_in(repo) == ""
    (repo / "hooks" / "post-index-change").write_text("#!/bin/sh\n")
    assert runs_in(repo) == "the hook post-index-change"


def test_work_trees_share_their_settings_and_have_their_own(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert runs_in(tmp_path / "tree") == ""
    git(repo, "config", "extensions.worktreeConfig", "true")
    git(tmp_path / "tree", "config", "--worktree", "core.fsmonitor", "x")
    assert runs_in(tmp_path / "tree") == "core.fsmonitor"
    assert runs_in(repo) == ""
    git(repo, "config", "diff.external", "y")
    assert runs_in(tmp_path / "tree") == "diff.external"


def test_a_bare_repository_is_one_too(tmp_path: Path) -> None:
    for name in ("objects", "refs"):
        (tmp_path / name).mkdir()
    (tmp_path / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "config").write_text("[core]\nbare = true\nfsmonitor = x\n")
    assert runs_in(tmp_path) == "core.fsmonitor"


def test_git_looks_into_repositories_inside_and_so_do_we(repo: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "f").write_text("x")
    git(inner, "add", "-A")
    git(inner, "commit", "-qm", "a")
    git(repo, "submodule", "add", "-q", str(inner), "mod")
    assert runs_in(repo) == ""
    pwn = tmp_path / "pwn"
    git(repo / "mod", "config", "core.fsmonitor", f"touch {pwn};:")
    git(repo, "status")
    assert pwn.exists(), "git does run it"
    assert runs_in(repo) == "core.fsmonitor (in mod)"
    (repo / "stray").mkdir()
    (repo / "stray" / ".git").write_text("gitdir: nowhere")
    git(repo / "mod", "config", "--unset", "core.fsmonitor")
    assert runs_in(repo) == ""


def test_an_index_that_cant_be_understood_counts_as_one_with_programs(repo: Path) -> None:
    (repo / ".git" / "index").write_bytes(b"nonsense")
    assert "an index that can't be understood" in runs_in(repo)


def test_a_git_file_that_leads_nowhere_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("what is this")
    assert repository_of(tmp_path) is None or repository_of(tmp_path) != repository_of(Path("/"))
    assert runs_in(tmp_path) == ""


# Where it is from -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://github.com/example/tokenbox.git", "github.com/example/tokenbox"),
        ("https://me:secret@github.com/example/tokenbox", "github.com/example/tokenbox"),
        ("git@github.com:example/tokenbox.git", "github.com/example/tokenbox"),
        ("ssh://git@host:2222/a/b.git/", "host:2222/a/b"),
        ("/srv/git/tokenbox.git", "/srv/git/tokenbox"),
    ],
)
def test_the_origin_is_said_without_what_is_secret(repo: Path, url: str, said: str) -> None:
    git(repo, "remote", "add", "origin", url)
    assert origin_of(repo) == said
    found = repository_of(repo)
    assert found is not None
    assert Setting("remote.origin.url", url) in settings_of(found)


def test_without_a_repository_or_a_readable_one_the_origin_is_unknown(
    repo: Path, tmp_path: Path
) -> None:
    assert origin_of(tmp_path) == ""
    assert origin_of(repo) == ""
    configure(repo, "[broken")
    assert origin_of(repo) == ""


# What is made of it ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["git status", "git diff", "cd src && git log -3", "git show HEAD"]
)
def test_a11_lines_that_look_are_asked_where_git_would_run_something(
    project: Project, line: str
) -> None:
    git(project.folder, "init", "-q")
    assert isinstance(project.bash(line), Allowed)
    git(project.folder, "config", "core.fsmonitor", "touch pwn5")
    modes: tuple[PermissionMode, ...] = ("default", "acceptEdits", "plan")
    for mode in modes:
        asked = project.bash(line, mode=mode)
        assert isinstance(asked, MustAsk), mode
        assert "core.fsmonitor" in asked.reason
    assert isinstance(project.bash(line, mode="dontAsk"), Denied)
    assert isinstance(project.bash(line, allow=["Bash(git *)", "Bash(cd *)"]), Allowed)
