"""The project in the pictures: a small client that keeps a token fresh, and the programs its developer has."""

from __future__ import annotations

import os
from pathlib import Path

AUTH_HEAD = '''"""Sessions with the token server, and what keeps them fresh."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime

from tokenbox.client import Client

log = logging.getLogger(__name__)

EARLY = 30
"""Seconds before its end from which on a token counts as expired."""


@dataclass(frozen=True)
class Token:
    """What the server gave, and until when it is good."""

    value: str
    expires_at: float

    @property
    def header(self) -> str:
        return f"Bearer {self.value}"


def now() -> float:
    return datetime.now(UTC).timestamp()


class Session:
    """A token and the way to renew it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._token: Token | None = None

    def refresh(self) -> Token:
        if self._token is None:
            self._token = self._fetch()
        return self._token
'''
"""Ends with line 44 of the file."""

SCHEDULER = '''class Scheduler:
    """Beats once a minute, with a fresh token."""

    def __init__(self, session: Session, client: Client) -> None:
        self.session = session
        self.client = client
        self.next_at = 0.0
        self.beats = 0
        self.stopped = False

    async def tick(self) -> None:
        token = self.session.token
        await self.client.get("/health", token=token)
        self.beats += 1

    async def run(self) -> None:
        while not self.stopped:
            await asyncio.sleep(60)
            await self.tick()
'''
TICK = 117
"""The line on which ``tick`` begins."""
LINES = 220
MADE = 1_700_000_000
"""When the files were made, in seconds since the epoch."""

OLD_REFRESH = """\
    def refresh(self) -> Token:
        if self._token is None:
            self._token = self._fetch()
        return self._token
"""
NEW_REFRESH = """\
    def refresh(self) -> Token:
        if self.expired(early=30):
            self._token = self._fetch()
            self._renewed_at = now()
        return self._token
"""
OLD_TICK = """\
        token = self.session.token
"""
NEW_TICK = """\
        token = self.session.refresh()
        self.next_at = token.expires_at - EARLY
"""

CLIENT = '''"""Talks to the token server."""


class Client:
    def __init__(self, base: str) -> None:
        self.base = base

    def post(self, path: str):
        """Post and refresh nothing."""

    async def get(self, path: str, token: object = None):
        """Get with a token; a 401 is not retried, the caller must refresh()."""
'''

TESTS = '''"""A token is renewed when it has expired, and not before."""

from tokenbox.auth import Session


def test_refresh_after_expiry(session: Session) -> None:
    old = session.refresh()
    assert session.refresh() != old


def test_refresh_once(session: Session) -> None:
    assert session.refresh() is session.refresh()
'''

UV = """\
#!/bin/sh
# Stands for uv: says what a run of the tests of this project says.
sleep 0.2
case "$*" in
  "run pytest tests/test_auth.py -q")
    n=0
    while [ $n -lt 46 ]; do n=$((n + 1)); echo "tests/test_auth.py:$n: in a fixture"; done
    echo "short test summary"
    echo "2 more failed: test_refresh_early, test_refresh_once"
    echo "FAILED tests/test_auth.py::test_refresh_after_expiry - AssertionError: 'old' == 'new'"
    echo "3 failed, 12 passed in 2.11s"
    exit 1 ;;
  "run pytest -q")
    echo "...............                                                      [100%]"
    echo "15 passed in 3.71s" ;;
  "run pytest -q -x")
    n=0
    while [ $n -lt 12 ]; do n=$((n + 1)); echo "tests/unit/test_$n.py ...."; done
    echo "tests/test_auth.py ...............                                  [ 31%]"
    echo "tests/test_client.py ........................                       [ 58%]"
    echo "tests/test_scheduler.py ......"
    exec sleep 600 ;;
  *)
    echo "uv $*" ;;
esac
"""


def auth() -> str:
    """Give ``src/auth.py`` as it is on disk."""
    head = AUTH_HEAD.split("\n")[:-1]
    between = [
        "",
        "",
        *(f"STATUS_{number} = {400 + number}" for number in range(TICK - len(head) - 15)),
        "",
        "",
    ]
    scheduler = SCHEDULER.split("\n")[:-1]
    lines = [*head, *between, *scheduler]
    rest = [f"# {number}" for number in range(len(lines) + 1, LINES + 1)]
    return "\n".join([*lines, *rest]) + "\n"


def changed(text: str, *changes: tuple[str, str]) -> tuple[str, str]:
    """Give the shortest whole lines of a text, and what they become, that hold all changes."""
    new = text
    for old, instead in changes:
        if new.count(old) != 1:
            raise ValueError(f"{old!r} is there {new.count(old)} times")
        new = new.replace(old, instead)
    before, after = text.splitlines(keepends=True), new.splitlines(keepends=True)
    head = next(n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)
    tail = next(
        n for n, (a, b) in enumerate(zip(before[::-1], after[::-1], strict=False)) if a != b
    )
    return "".join(before[head : len(before) - tail]), "".join(after[head : len(after) - tail])


def write(folder: Path) -> None:
    """Put the project into a folder. The files have fixed ages, so that "the newest" is always the same one."""
    files = {
        "src/auth.py": auth(),
        "src/client.py": CLIENT,
        "tests/test_auth.py": TESTS,
        "CHANGELOG.md": "# Changes\n\n- begin\n",
        ".gitignore": "build/\ndist/\n",
        "pyproject.toml": '[project]\nname = "tokenbox"\nversion = "0.4.0"\n',
    }
    for number, (name, text) in enumerate(files.items()):
        path = put(folder, name, text)
        os.utime(path, (MADE + number, MADE + number))


def put(folder: Path, name: str, text: str) -> Path:
    """Write a file of the project, with the folders above it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def write_programs(folder: Path) -> None:
    """Put the programs of the machine that the pictures need into a folder."""
    uv = folder / "uv"
    uv.write_text(UV)
    uv.chmod(0o755)
