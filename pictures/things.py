"""What is put on the machine before a picture: files of the project, stored sessions, a sub-agent."""

from __future__ import annotations

import json
import os
import subprocess
import time

from pictures import scripts, tokenbox
from tests.fakes.api_server import reply
from tests.journeys.program import Program

HOUR = 3600


def built(program: Program) -> None:
    """Put what a build left behind into the project: two folders with 41 files."""
    for number in range(41):
        folder = "build/lib" if number < 39 else "dist"
        tokenbox.put(program.project, f"{folder}/part_{number}.py", "")


def reviewer(program: Program) -> None:
    """Give the person a sub-agent of their own."""
    text = f"---\nname: reviewer\ndescription: Reviews a rename\ntools: Grep\n---\n{scripts.REVIEWER}\n"
    tokenbox.put(program.home, ".agent-tui/agents/reviewer.md", text)


def brought(program: Program) -> None:
    """Let the project bring hooks, a server, rules and memory files, and come from somewhere."""
    hook = "scripts/check.sh"
    settings = {
        "hooks": {
            "PreToolUse": [{"hooks": [{"type": "command", "command": hook}]}],
            "Stop": [{"hooks": [{"type": "command", "command": "scripts/notify.sh"}]}],
        },
        "permissions": {"allow": ["Bash(uv *)", "Bash(git status)", "Edit(src/**)"]},
    }
    servers = {"mcpServers": {"db": {"command": "uvx", "args": ["tokenbox-db-server"]}}}
    tokenbox.put(program.project, ".claude/settings.json", json.dumps(settings, indent=2))
    tokenbox.put(program.project, ".mcp.json", json.dumps(servers, indent=2))
    tokenbox.put(program.project, "AGENTS.md", "@docs/STYLE.md\n" + "- a rule\n" * 40)
    tokenbox.put(program.project, "docs/STYLE.md", "- a rule\n" * 88)
    _git(program, "remote", "add", "origin", "https://github.com/example/tokenbox")


STORED = (
    ("Threat model for the CLI login", "Log nothing, not even an expired token in debug output.", "security", 24 * 61),
    ("Review of the retry policy", "So: never retry with an expired token; renew first, then send.", "main", 24 * 22),
    ("Port the client to httpx", "What should an expired token raise? Unauthorized, I'd say.", "httpx-028", 24 * 6),
    ("Scheduler misses ticks overnight", "tick() used an expired token and then gave up.", "main", 25),
    (scripts.FIRST_PROMPT, "Two callers hand back an expired token: a guard in refresh() repairs both.", "fix-auth", 2),
)  # fmt: skip
"""Prompt, answer, branch and age in hours of the sessions on the machine, oldest first."""


def sessions(program: Program, stored: tuple[tuple[str, str, str, int], ...] = STORED) -> None:
    """Have some sessions in the past, on branches of their own."""
    for number, (prompt, answer, branch, hours) in enumerate(stored):
        _git(program, "checkout", "-q", "-B", branch)
        program.api.enqueue(
            reply(answer, usage=scripts.usage(40_000 * number, 9_000 * (number + 1), 800, 900))
        )
        done = program.print(prompt)
        assert done.returncode == 0, done.stderr.decode()
        at = time.time() - hours * HOUR - HOUR / 2
        os.utime(program.journals()[-1], (at, at))


def _git(program: Program, *words: str) -> None:
    subprocess.run(["git", *words], cwd=program.project, env=program.environment, check=True)
