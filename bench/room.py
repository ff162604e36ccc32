"""A clean place for a run: an empty home, a small git repository, an environment with nothing of the person's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = 12


@dataclass(frozen=True)
class Room:
    """Where a program runs, and with which variables."""

    folder: Path
    env: Mapping[str, str]

    def against(self, url: str) -> Mapping[str, str]:
        """The variables that send the program to this server."""
        return {**self.env, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "bench"}

    @property
    def file(self) -> Path:
        """A file of ten lines."""
        return self.folder / "file0.py"


def ours(*arguments: str) -> list[str]:
    """The command that starts agent-tui."""
    return [str(Path(sys.executable).with_name("agent-tui")), *arguments]


def plain(name: str, *arguments: str) -> list[str]:
    """The command that starts a program of ``bench.plain``."""
    return [sys.executable, "-m", "bench.plain", name, *arguments]


@contextmanager
def room() -> Generator[Room]:
    """Make a room, remove it at the end."""
    base = Path(tempfile.mkdtemp(prefix="bench-"))
    home, folder = base / "home", base / "shop"
    home.mkdir()
    folder.mkdir()
    for number in range(FILES):
        (folder / f"file{number}.py").write_text(f"value = {number}\n" * 10)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
    }
    for command in (
        "git init -q",
        "git add .",
        "git -c user.name=b -c user.email=b@b commit -qm b",
    ):
        subprocess.run(command.split(), cwd=folder, env=env, check=True)
    try:
        yield Room(folder, env)
    finally:
        shutil.rmtree(base, ignore_errors=True)
