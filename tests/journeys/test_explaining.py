"""Why a call ran or not, with the real program: on the card, in the journal, after resuming, and from the shell."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.api_server import reply, tool
from tests.journeys.program import Program


def settings(program: Program, **permissions: list[str]) -> None:
    """Write the person's own settings, a rule a line."""
    folder = program.home / ".agent-tui"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text(json.dumps({"permissions": permissions}, indent=1))


def decisions(program: Program) -> list[dict[str, Any]]:
    """The decisions in the journal of the only session."""
    [journal] = (program.home / ".agent-tui" / "projects").glob("*/*.jsonl")
    lines = [json.loads(line) for line in Path(journal).read_text().splitlines()]
    return [line["decision"] for line in lines if "decision" in line]


def check(program: Program, *argv: str) -> subprocess.CompletedProcess[str]:
    """Ask from the shell."""
    return subprocess.run(
        program.start_argv("permissions", "check", *argv),
        cwd=program.project,
        env={"PATH": program.environment["PATH"], "HOME": str(program.home)},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def test_what_the_shell_is_told_is_what_happens(program: Program) -> None:
    settings(program, allow=["Bash(touch made)"], deny=["Bash(touch other)"])
    lines = ["touch made", "touch other", "touch third", "ls"]
    told = {line: check(program, line, "--json").returncode for line in lines}
    assert told == {"touch made": 0, "touch other": 4, "touch third": 3, "ls": 0}
    program.api.enqueue(reply(*(tool("Bash", command=line) for line in lines)), "Done.")
    done = program.print("go", "--output-format", "json")
    assert done.stdout, done.stderr
    assert [p.name for p in program.project.iterdir() if p.name in lines[0] + lines[1]] == ["made"]
    place = str(program.home / ".agent-tui" / "settings.json")
    kept = [
        (one["behavior"], one["by"], one.get("rule"), one.get("source"))
        for one in decisions(program)
    ]
    assert kept == [
        ("allow", "rule", "Bash(touch made)", f"{place}:4"),
        ("deny", "rule", "Bash(touch other)", f"{place}:7"),
        ("deny", "nobody", None, None),
        ("allow", "read_only", None, None),
    ]


def test_programs_find_who_decided_beside_each_result(program: Program) -> None:
    settings(program, allow=["Bash(touch made)"])
    program.api.enqueue(reply(tool("Bash", command="touch made")), "Done.")
    done = program.print("go", "--output-format", "stream-json", "--verbose")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    [note] = [record["decision"] for record in records if "decision" in record]
    assert (note["by"], note["rule"]) == ("rule", "Bash(touch made)")


@pytest.mark.parametrize("key", ["y", "n"])
def test_the_card_says_who_decided_now_and_after_resuming(program: Program, key: str) -> None:
    program.api.enqueue(reply(tool("Bash", command="touch made")), "All done.", "Again.")
    says = "you said yes" if key == "y" else "you said no"
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        terminal.type("go")
        terminal.key("enter")
        terminal.wait_for("Run this command?", "No, and say why")
        terminal.pump(1.2)
        terminal.key(key)
        if key == "n":
            terminal.key("enter")
        terminal.wait_for("All done.")
        terminal.key("\x0f")
        terminal.wait_for(says)
        session = decisions(program)
    assert [one["by"] for one in session] == ["person"]
    assert (program.project / "made").exists() is (key == "y")
    with program.screen("--continue") as terminal:
        terminal.wait_for("touch made")
        terminal.key("\x0f")
        terminal.wait_for(says)


def test_the_screen_of_permissions_answers_what_is_typed(program: Program) -> None:
    settings(program, ask=["Bash(git push *)"])
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        terminal.type("/permissions")
        terminal.key("enter")
        terminal.wait_for("Ask  1 rule")
        terminal.type("git push -f")
        terminal.wait_for("asks you")
        terminal.wait_for("~/.agent-tui/settings.json:4")
        terminal.key("\x1b")
        terminal.pump(0.3)
        terminal.key("\x1b")
        terminal.pump(0.3)
        terminal.wait_for("default", "? help")
    assert program.api.messages == []
