"""``agent-tui permissions``: what would be decided in a folder, from the shell."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent_tui.cli import main
from agent_tui.permissions.grants import store
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from agent_tui.settings.paths import Environment
from tests.house.test_loading import HEAVY, SCREEN

NOT_NEEDED = (HEAVY - {"tree_sitter"}) | SCREEN | {"pydantic", "anyio", "asyncio", "httpcore2"}


@dataclass
class Shell:
    """A folder, a home, and the command run in it."""

    project: Path
    env: Environment
    capsys: pytest.CaptureFixture[str]

    def rules(self, **rules: list[str]) -> None:
        """Put rules into the person's own settings, each on a line of its own."""
        path = self.env.home / ".agent-tui" / "settings.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"permissions": rules}, indent=1))

    def run(self, *argv: str) -> tuple[int, str, str]:
        code = main(["permissions", *argv], self.env)
        out, err = self.capsys.readouterr()
        return code, out, err

    def outcome(self, *argv: str) -> tuple[int, str]:
        """The exit code and the outcome in the data."""
        code, out, _ = self.run("check", *argv, "--json")
        return code, json.loads(out)["outcome"]


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    (project / "src").mkdir(parents=True)
    monkeypatch.chdir(project)
    return Shell(project, Environment({"PATH": "/usr/bin:/bin"}, home), capsys)


def test_the_exit_code_says_what_would_happen(shell: Shell) -> None:
    shell.rules(allow=["Bash(make *)"], ask=["Bash(git push *)"], deny=["Bash(rm *)"])
    assert shell.outcome("Bash(make all)") == (0, "allow")
    assert shell.outcome("Bash(git push -f)") == (3, "ask")
    assert shell.outcome("rm x") == (4, "deny")
    assert shell.outcome("ls") == (0, "allow")


def test_it_says_which_rule_of_which_file_and_line(shell: Shell) -> None:
    shell.rules(ask=["Bash(git push *)"])
    code, out, err = shell.run("check", "Bash(git push -f)")
    assert (code, err) == (3, "")
    lines = out.splitlines()
    assert lines[0] == "Bash(git push -f)"
    assert "Bash(git push *) in ~/.agent-tui/settings.json:4 wants this asked" in lines[1]
    assert "  git push -f  asks you  ask Bash(git push *)  user" in lines


def test_a_path_means_reading_and_writing_and_the_stricter_counts(shell: Shell) -> None:
    shell.rules(deny=["Edit(./src/**)"])
    code, out, _ = shell.run("check", "src/a.py", "--json")
    data: dict[str, Any] = json.loads(out)
    assert (code, data["outcome"]) == (4, "deny")
    assert [(one["call"], one["outcome"]) for one in data["explanations"]] == [
        ("Read(src/a.py)", "allow"),
        ("Edit(src/a.py)", "deny"),
    ]
    rule = data["explanations"][1]["rule"]
    assert (rule["text"], rule["origin"]) == ("Edit(./src/**)", "user")
    assert rule["source"].endswith("/.agent-tui/settings.json:4")


def test_the_options_of_a_session_count(shell: Shell, tmp_path: Path) -> None:
    assert shell.outcome("Edit src/a.py") == (3, "ask")
    assert shell.outcome("Edit src/a.py", "--permission-mode", "acceptEdits") == (0, "allow")
    assert shell.outcome("make", "--permission-mode", "dontAsk") == (4, "deny")
    assert shell.outcome("make", "--allowedTools", "Bash(make)") == (0, "allow")
    assert shell.outcome("ls", "--disallowedTools", "Bash(ls)") == (4, "deny")
    more = tmp_path / "more"
    more.mkdir()
    assert shell.outcome(f"Read {more}/a") == (3, "ask")
    assert shell.outcome(f"Read {more}/a", "--add-dir", str(more)) == (0, "allow")
    settings = '{"permissions": {"deny": ["Read(./src/**)"]}}'
    assert shell.outcome("Read src/a.py", "--settings", settings) == (4, "deny")


def test_what_a_folder_brings_counts_as_far_as_it_is_trusted(shell: Shell) -> None:
    brought = shell.project / ".claude" / "settings.json"
    brought.parent.mkdir()
    brought.write_text('{"permissions": {"allow": ["Bash(make)"], "deny": ["Bash(ls)"]}}')
    assert shell.outcome("make") == (3, "ask")
    assert shell.outcome("ls") == (4, "deny")
    assert shell.outcome("make", "--trust") == (0, "allow")
    assert shell.outcome("make") == (3, "ask"), "looking has remembered a trust"
    assert not (shell.env.home / ".agent-tui").exists()


def test_an_answer_given_here_before_counts(shell: Shell) -> None:
    rule = PermissionRuleValue("Bash", "make *")
    given = PermissionUpdate("addRules", (rule,), destination="localSettings")
    store(given, shell.project, shell.env)
    assert shell.outcome("make all") == (0, "allow")


def test_the_list_says_what_holds_and_where_it_stands(shell: Shell) -> None:
    shell.rules(allow=["Bash(make *)", "Read(!x)"], deny=["Bash(rm *)"])
    code, out, _ = shell.run("list", "--allowedTools", "Bash(git log *)")
    assert code == 0
    rows = {" ".join(line.split()) for line in out.splitlines()}
    assert "Bash(make *) ~/.agent-tui/settings.json:4" in rows
    assert "Bash(git log *) the command line" in rows
    assert "Bash(rm *) ~/.agent-tui/settings.json:8" in rows
    assert "sandbox: off" in rows
    assert any("Read(!x)" in row and "left out" in row for row in rows)
    data = json.loads(shell.run("list", "--json")[1])
    assert {rule["text"] for rule in data["rules"]} == {"Bash(make *)", "Bash(rm *)"}


def test_no_key_is_needed_and_nothing_is_run_or_written(shell: Shell) -> None:
    before = sorted(shell.project.rglob("*"))
    assert shell.outcome("touch made", "--permission-mode", "acceptEdits") == (0, "allow")
    assert sorted(shell.project.rglob("*")) == before
    assert list(shell.env.home.iterdir()) == []


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["check"], "what to check? It takes one call, in quotes"),
        (["list", "x"], "what to list? It takes nothing"),
        (["check", "git", "push"], "unrecognized arguments: push"),
        (["check", " "], "what about?"),
        (["check", "ls", "--permission-mode", "odd"], "odd"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(shell: Shell, argv: list[str], says: str) -> None:
    code, out, err = shell.run(*argv)
    assert (code, out) == (2, "")
    assert says in err and err.count("\n") == 1


def test_settings_that_cannot_be_read_are_code_1(shell: Shell) -> None:
    (shell.project / ".claude").mkdir()
    (shell.project / ".claude" / "settings.json").write_text("{")
    code, out, err = shell.run("check", "ls")
    assert (code, out) == (1, "")
    assert "settings.json, line 1" in err


def test_help_tells_the_exit_codes(shell: Shell) -> None:
    code, out, _ = shell.run("check", "--help")
    assert code == 0
    assert "0 it would run, 3 it would be asked, 4 it would be denied" in out


def test_a_call_may_begin_with_a_dash(shell: Shell) -> None:
    code, out, _ = shell.run("check", "--", "--json")
    assert (code, out.splitlines()[0]) == (3, "Bash(--json)")


def test_a_rule_of_a_folder_cannot_drive_the_terminal(shell: Shell) -> None:
    (shell.project / ".claude").mkdir()
    text = json.dumps({"permissions": {"deny": ["Bash(x\u009b31m\u202e*)"]}})
    (shell.project / ".claude" / "settings.json").write_text(text)
    for verb in (["list"], ["check", "x\u009b31m\u202ey"]):
        out = shell.run(*verb)[1]
        assert "\u009b" not in out and "\u202e" not in out


def test_other_words_after_it_are_a_prompts(shell: Shell) -> None:
    code, _, err = shell.run("are broken, fix them")
    assert code == 2
    assert "unrecognized arguments" in err
    code = main(["permissions are broken, fix them"], shell.env)
    assert "there is no terminal to draw on" in shell.capsys.readouterr().err


def test_it_loads_neither_the_screen_nor_what_asks_a_model(shell: Shell) -> None:
    code = (
        "import sys\nfrom agent_tui.cli import main\nfrom agent_tui.settings.paths import Environment\n"
        "main(['permissions', 'check', 'git push && ls > x'], Environment.of_process())\n"
        "print('@' + ' '.join({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(shell.env.home), "PATH": "/usr/bin:/bin"},
    )
    loaded = set(done.stdout.rpartition("@")[2].split())
    assert "tree_sitter" in loaded
    assert loaded & NOT_NEEDED == set()
