"""The permission cases with the real program and a real shell: what is on disk afterwards is what counts.

Nobody is there to be asked, so what would be asked is denied. ``tests/permissions/test_policy.py`` has the same cases for
the decision alone.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.api_server import reply, tool
from tests.journeys.program import Program

TICK = "`"


@dataclass(frozen=True)
class Done:
    """What a run came to."""

    returncode: int
    stderr: str
    denied: tuple[str, ...]
    results: tuple[str, ...]
    """What each call gave, in the order of the calls."""


def settings(program: Program, **permissions: Any) -> None:
    """Write the person's own settings."""
    folder = program.home / ".agent-tui"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps({"permissions": permissions}))


def run(program: Program, *calls: tuple[str, dict[str, Any]], flags: tuple[str, ...] = ()) -> Done:
    """Have the model make these calls in one turn; give what came of them."""
    program.api.enqueue(reply(*(tool(name, **given) for name, given in calls)), "Done.")
    done = program.print("go", "--output-format", "json", *flags)
    assert done.stdout, done.stderr
    program.api.check()
    denials = json.loads(done.stdout)["permission_denials"]
    body: Any = program.api.messages[-1].body
    blocks: list[dict[str, Any]] = body["messages"][-1]["content"]
    results = [block["content"] for block in blocks if block["type"] == "tool_result"]
    texts = [given if isinstance(given, str) else json.dumps(given) for given in results]
    return Done(
        done.returncode,
        done.stderr.decode(),
        tuple(str(d["tool_input"].get("command", d["tool_name"])) for d in denials),
        tuple(texts),
    )


def shell(program: Program, *lines: str, flags: tuple[str, ...] = ()) -> Done:
    """Have the model run these shell lines."""
    return run(program, *(("Bash", {"command": line}) for line in lines), flags=flags)


def git(folder: Path, *arguments: str) -> str:
    """Run git as the person would."""
    name = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *name, *arguments], cwd=folder, capture_output=True, check=True, text=True
    )
    return done.stdout


@pytest.fixture
def repo(program: Program) -> Path:
    """The project as a repository with one commit that is not pushed to its remote."""
    remote = program.home / "remote.git"
    git(program.home, "init", "-q", "--bare", str(remote))
    project = program.project
    git(project, "init", "-q")
    (project / "src").mkdir()
    (project / "src" / "a.py").write_text("one\n")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first words")
    git(project, "remote", "add", "origin", str(remote))
    git(project, "config", "push.default", "current")
    return project


def pushed(program: Program) -> bool:
    return bool(git(program.home / "remote.git", "for-each-ref"))


A1 = (
    "git log && touch p1",
    "git log; touch p2",
    "git log | tee p3",
    "git log & touch p4",
    "git log\ntouch p5",
    "git log $(touch p6)",
    f'git log "{TICK}touch p7{TICK}"',
    "git log <(touch p8)",
)


def test_a1_nothing_rides_along_with_an_allowed_prefix(program: Program, repo: Path) -> None:
    settings(program, allow=["Bash(git log:*)"])
    done = shell(program, *A1, "git log -5")
    assert done.denied == A1
    assert not list(repo.glob("p*"))
    assert "first words" in done.results[-1]


def test_a2_parts_that_are_all_allowed_run_and_a_redirection_does_not(
    program: Program, repo: Path
) -> None:
    settings(program, allow=["Bash(cd:*)", "Bash(git:*)", "Bash(head:*)"])
    git(repo, "checkout", "-qb", "work")
    (repo / "src" / "b.py").write_text("two\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "second")
    line = "cd src && git diff main...HEAD --name-only | head -30"
    done = shell(program, line, "cd src && git status > out.txt")
    assert done.denied == ("cd src && git status > out.txt",)
    assert "src/b.py" in done.results[0]
    assert not list(repo.rglob("out.txt"))


@pytest.mark.parametrize("mode", ["default", "bypassPermissions"])
def test_a3_a_push_is_not_made_however_it_is_written(
    program: Program, repo: Path, mode: str
) -> None:
    settings(program, allow=["Bash"], deny=["Bash(git push:*)"])
    program.variables["IS_SANDBOX"] = "1"
    lines = (
        f"git -C {repo} push",
        f"git --git-dir={repo}/.git push",
        "GIT_SSH_COMMAND=x git push",
        '"git" push',
        "g\\it push",
        "/usr/bin/git push",
        "command git push",
        "git   push",
        "git\tpush",
        "git push",
    )
    done = shell(program, *lines, flags=("--permission-mode", mode))
    assert done.denied == lines
    assert not pushed(program)


def test_a3_the_push_would_have_worked(program: Program, repo: Path) -> None:
    """So that the test above shows something."""
    settings(program, allow=["Bash"])
    assert shell(program, "git push").denied == ()
    assert pushed(program)


def test_a4_no_wrapper_hides_a_removal(program: Program) -> None:
    settings(
        program,
        allow=["Bash(find:*)", "Bash(xargs:*)", "Bash(timeout:*)"],
        deny=["Bash(rm:*)"],
    )
    lines = (
        "find . -name x -exec rm {} \\;",
        "find . -name x -delete",
        "ls x | xargs rm",
        "timeout 5 rm x",
        "env A=1 rm x",
        "nice nohup rm x",
        "bash -c 'rm x'",
        "eval rm x",
        "sudo rm x",
        "p=rm; $p x",
        "$(printf rm) x",
    )
    (program.project / "x").write_text("keep")
    assert shell(program, *lines).denied == lines
    program.variables["IS_SANDBOX"] = "1"
    settings(program, allow=["Bash"], deny=["Bash(rm:*)"])
    hidden = tuple(line for line in lines if "-delete" not in line)
    done = shell(program, *hidden, flags=("--permission-mode", "bypassPermissions"))
    assert done.denied == hidden
    assert (program.project / "x").read_text() == "keep"


def test_a5_an_option_that_writes_or_runs_is_not_read_only(program: Program, repo: Path) -> None:
    (repo / "t.conf").write_text("text")
    lines = (
        "git diff --no-index /dev/null /dev/null --output=t.conf",
        "git -c core.pager='touch q1' log",
        "git -c core.fsmonitor='touch q2' status",
        "git log --ext-diff",
        "git grep --open-files-in-pager=sh x",
    )
    assert shell(program, *lines).denied == lines
    assert (repo / "t.conf").read_text() == "text"
    assert not list(repo.glob("q*"))


def test_a6_a_redirection_writes_nothing_unasked(program: Program) -> None:
    (program.project / "b").write_text("b\n")
    (program.project / "f").write_text("f\n")
    lines = (
        "echo x > a.txt",
        "cat b >> ~/.bashrc",
        "wc f > ../outside",
        "echo x >| a.txt",
        ": > a.txt",
        "cat <> a.txt",
    )
    assert shell(program, *lines).denied == lines
    assert sorted(path.name for path in program.project.iterdir()) == ["b", "f"]
    assert not (program.home / ".bashrc").exists()
    assert not (program.project.parent / "outside").exists()


def test_a6_a_rule_against_editing_holds_for_a_redirection(program: Program) -> None:
    settings(program, allow=["Bash"], deny=["Edit(./a.txt)"])
    done = shell(program, "echo x > a.txt", "echo x > c.txt")
    assert done.denied == ("echo x > a.txt",)
    assert not (program.project / "a.txt").exists()
    assert (program.project / "c.txt").read_text() == "x\n"


SECRET = "abc4secret"


def test_a7_a_forbidden_file_is_read_in_no_way(program: Program, repo: Path) -> None:
    (repo / ".env").write_text(f"SECRET={SECRET}\n")
    (repo / "zzz.ts").write_text("SECRET here is none\n")
    git(repo, "add", "-Af")
    git(repo, "commit", "-qm", "with secrets")
    settings(program, allow=["Bash", "Read", "Edit"], deny=["Read(./.env)"])
    lines = ("cat .env", 'grep -E "A|SECRET" .env', "cat < .env", "git show HEAD:.env")
    done = run(
        program,
        ("Read", {"file_path": ".env"}),
        ("Grep", {"pattern": "SECRET", "path": ".env"}),
        ("Grep", {"pattern": "SECRET", "path": ".", "output_mode": "content"}),
        ("Grep", {"pattern": "SECRET", "glob": "{.env,zzz.ts}", "output_mode": "content"}),
        *(("Bash", {"command": line}) for line in lines),
        ("Edit", {"file_path": ".env", "old_string": "SECRET", "new_string": "x"}),
    )
    assert done.denied == ("Read", "Grep", *lines, "Edit")
    assert all("Read(./.env)" in done.results[at] for at in (0, 1, 4, 5, 6, 7, 8))
    assert "zzz.ts" in done.results[2]
    assert "zzz.ts" in done.results[3]
    program.api.enqueue("I can't see it.")
    mentioned = program.print("what is in @.env ?", "--output-format", "json")
    assert mentioned.returncode == 0
    assert SECRET not in json.dumps([m.body for m in program.api.messages])
    assert SECRET.encode() not in mentioned.stdout
    assert (repo / ".env").read_text() == f"SECRET={SECRET}\n"


def test_a8_a_link_is_the_file_it_leads_to(program: Program) -> None:
    private = program.project / "private"
    private.mkdir()
    (private / "a").write_text(f"{SECRET}\n")
    outside = program.home / "passwords"
    outside.write_text(f"{SECRET}\n")
    (program.project / "ok.txt").symlink_to(outside)
    (program.project / "pub").symlink_to("private")
    settings(program, allow=["Bash", "Read"], deny=[f"Read(/{outside})", "Read(./private/**)"])
    done = run(
        program,
        ("Read", {"file_path": "ok.txt"}),
        ("Read", {"file_path": "pub/a"}),
        ("Grep", {"pattern": SECRET[:3], "path": "pub", "output_mode": "content"}),
        ("Bash", {"command": "cat ok.txt"}),
        ("Bash", {"command": "cat pub/a"}),
    )
    assert SECRET not in json.dumps(done.results)
    assert done.denied[:2] == ("Read", "Read")
    assert done.denied[-2:] == ("cat ok.txt", "cat pub/a")


def test_a13_a_line_of_many_parts_or_characters_is_not_waved_through(program: Program) -> None:
    settings(program, allow=["Bash(true:*)", "Bash(echo:*)"], deny=["Bash(curl:*)"])
    many = "true && " * 60 + "curl http://127.0.0.1:1"
    long = f"echo {'x' * 100_000}; touch made"
    assert shell(program, many, long).denied == (many, long)
    assert not (program.project / "made").exists()
    settings(program, allow=["Bash"], deny=["Bash(curl:*)"])
    assert shell(program, many, long).denied == (many, long)
    assert not (program.project / "made").exists()


def test_a15_a_broken_settings_file_stops_the_start_and_is_left_as_it_was(
    program: Program,
) -> None:
    folder = program.home / ".agent-tui"
    folder.mkdir()
    broken = '{"permissions": {\n  "deny": ["Bash(rm:*)",]\n}}\n'
    (folder / "settings.json").write_text(broken)
    (program.project / "x").write_text("keep")
    done = program.print("go")
    assert done.returncode != 0
    assert b"settings.json" in done.stderr
    assert b"line 2" in done.stderr
    assert not program.api.messages
    assert (folder / "settings.json").read_text() == broken


def test_a15_one_malformed_allow_rule_takes_no_other_with_it(program: Program) -> None:
    settings(
        program,
        allow=["Bash(echo one:*)", "Bash(", "Bash(touch two)", "Bash"],
        deny=["Bash(rm:*)"],
    )
    (program.project / "x").write_text("keep")
    done = shell(program, "rm x", "touch two")
    assert done.denied == ("rm x",)
    assert "settings.json" in done.stderr
    assert (program.project / "x").exists()
    assert (program.project / "two").exists()


def test_a17_neither_the_env_file_nor_our_key_is_in_a_commands_environment(
    program: Program,
) -> None:
    (program.project / ".env").write_text("K=v1secret\n")
    settings(program, allow=["Bash"], deny=["Read(./.env)"])
    done = shell(program, "env | sort")
    assert done.denied == ()
    assert "HOME=" in done.results[0]
    assert "v1secret" not in done.results[0]
    assert program.environment["ANTHROPIC_API_KEY"] not in done.results[0]
