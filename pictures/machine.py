"""The machine of the person in the pictures: a home, a project, the programs on it, a scripted model."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pictures import tokenbox
from tests.fakes.api_server import ApiServer, ReplySource, Rule
from tests.journeys.program import Program

REPOSITORY = Path(__file__).resolve().parents[1]
"""Where the program is, for a Python that hasn't got it installed."""


@contextmanager
def machine(
    replies: tuple[ReplySource, ...],
    rules: tuple[Rule, ...],
    settings: Mapping[str, Any],
    variables: Mapping[str, str],
) -> Generator[Program]:
    """Set a machine up, with ``tokenbox`` as the project, and take it away again.

    Args:
        replies: what the model says, in order.
        rules: what it says to requests that fit, first of all.
        settings: the person's own.
        variables: more for the program's environment; an empty value takes a usual one away.
    """
    with (
        TemporaryDirectory(prefix="pictures-", ignore_cleanup_errors=True) as scratch,
        ApiServer(*replies, rules=rules) as api,
    ):
        home = Path(scratch) / "home"
        project = home / "work" / "tokenbox"
        project.mkdir(parents=True)
        tokenbox.write(project)
        programs = home / "bin"
        programs.mkdir()
        tokenbox.write_programs(programs)
        _commit(project)
        own = home / ".agent-tui" / "settings.json"
        own.parent.mkdir(mode=0o700)
        own.write_text(json.dumps(settings, indent=2))
        own.chmod(0o600)
        given = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(REPOSITORY),
            **variables,
        }
        yield _Scratch(api, home, project, given)


class _Scratch(Program):
    @property
    def environment(self) -> dict[str, str]:
        """The variables the program sees."""
        return {name: value for name, value in super().environment.items() if value}


def argv(*arguments: str) -> list[str]:
    """The command line of the program."""
    return [sys.executable, "-m", "agent_tui", *arguments]


def _commit(project: Path) -> None:
    """Make a repository of the project, on a branch of its own, with all of it committed."""
    git = shutil.which("git")
    if git is None:
        raise AssertionError("git is needed")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false")
    env = {"PATH": os.environ["PATH"], "HOME": str(project), "GIT_CONFIG_NOSYSTEM": "1"}
    for line in (
        ("init", "-q", "-b", "fix-auth"),
        ("add", "-A"),
        (*who, "commit", "-q", "-m", "Begin"),
    ):
        subprocess.run([git, *line], cwd=project, env=env, check=True)
