"""Starts the real program: ``agent-tui`` against the strict server, in a project and a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tests.fakes.api_server import ApiServer
from tests.journeys.terminal import Terminal

KEY = "sk-test-dummy"


@dataclass
class Program:
    """One person's machine: a home, a project, a server to talk to."""

    api: ApiServer
    home: Path
    project: Path
    variables: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def environment(self) -> dict[str, str]:
        """The variables the program sees; nothing of the test's own machine but PATH."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": self.api.url,
            "ANTHROPIC_API_KEY": KEY,
            **self.variables,
        }

    def start_argv(self, *arguments: str) -> list[str]:
        """The command line of the program."""
        return [sys.executable, "-m", "agent_tui", *arguments]

    def screen(self, *arguments: str, size: tuple[int, int] = (120, 40)) -> Terminal:
        """Open the screen."""
        return Terminal(
            self.start_argv(*arguments), cwd=self.project, env=self.environment, size=size
        )

    def start(
        self,
        *arguments: str,
        stdin: IO[bytes] | int | None = None,
        stdout: IO[bytes] | int | None = None,
        stderr: IO[bytes] | int | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start it without a terminal."""
        return subprocess.Popen(
            self.start_argv(*arguments),
            cwd=self.project,
            env=self.environment,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
        )

    def print(
        self, *arguments: str, stdin: bytes | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run ``-p`` to its end."""
        return subprocess.run(
            self.start_argv("-p", *arguments),
            cwd=self.project,
            env=self.environment,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            timeout=50,
            check=False,
        )

    def journals(self) -> list[Path]:
        """The sessions on disk, oldest first."""
        folder = self.home / ".agent-tui" / "projects"
        return sorted(folder.glob("*/*.jsonl"), key=lambda path: path.stat().st_mtime)

    def lines(self, journal: Path | None = None) -> list[dict[str, Any]]:
        """The lines of a journal, the newest one's when none is named."""
        path = journal or self.journals()[-1]
        return [json.loads(line) for line in path.read_text().splitlines()]


def records(output: bytes) -> list[dict[str, Any]]:
    """Read stream-json output."""
    return [json.loads(line) for line in output.splitlines()]
