"""The prompts typed before: one file for all projects and windows, recalled per project.

A JSON line each: ``display`` (the text in full), ``project``, ``timestamp`` (milliseconds), ``sessionId``. The file is
only ever appended to, by one write a line, so windows don't disturb one another. Reading and writing block: call
``load`` and ``append`` in a thread.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from agent_tui.settings.private import make_private_folder

Scope = Literal["project", "session", "all"]
SCOPES: tuple[Scope, ...] = ("project", "session", "all")
READ_BYTES = 4 * 1024 * 1024
"""Only the end of a longer file is read."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A prompt as it was sent, and where."""

    text: str
    project: str
    session: str = ""
    at_ms: int = 0


def load(path: Path, *, limit: int = READ_BYTES) -> list[Typed]:
    """Read the newest prompts, oldest first; lines that can't be read are skipped."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - limit))
            raw = file.read()
    except OSError:
        return []
    lines = raw.split(b"\n")
    if size > limit:
        lines = lines[1:]
    return [typed for line in lines if (typed := _read(line)) is not None]


def append(path: Path, typed: Typed) -> None:
    """Add a prompt to the file, which only its owner can read.

    Raises:
        OSError: it can't be written.
    """
    line = json.dumps(
        {
            "display": typed.text,
            "project": typed.project,
            "timestamp": typed.at_ms,
            "sessionId": typed.session,
        },
        ensure_ascii=True,
    )
    make_private_folder(path.parent)
    out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        os.write(out, line.encode() + b"\n")
    finally:
        os.close(out)


def _read(line: bytes) -> Typed | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    entry = cast("dict[str, Any]", data)
    text, at = entry.get("display"), entry.get("timestamp")
    if not isinstance(text, str) or not text:
        return None
    return Typed(
        text,
        str(entry.get("project", "")),
        str(entry.get("sessionId") or ""),
        at if isinstance(at, int) else 0,
    )


@dataclass(slots=True)
class History:
    """Walks through the prompts of a project, newest first; the draft waits below the newest."""

    project: str
    entries: list[Typed] = field(default_factory=list[Typed])
    _walk: list[str] = field(default_factory=list[str])
    _at: int = -1
    _draft: str = ""

    def add(self, typed: Typed) -> bool:
        """Take a prompt in; the same one twice in a row counts once. Tell whether it was new."""
        self.leave()
        mine = [e for e in self.entries[-1:] if e.project == typed.project]
        if mine and mine[-1].text == typed.text:
            return False
        self.entries.append(typed)
        return True

    def older(self, draft: str) -> str | None:
        """Give the prompt before; None at the oldest. ``draft`` is kept when the walk begins."""
        if self._at < 0:
            self._walk, self._draft = self.texts("project"), draft
        if self._at + 1 >= len(self._walk):
            return None
        self._at += 1
        return self._walk[self._at]

    def newer(self) -> str | None:
        """Give the prompt after, at last the draft; None when not walking."""
        if self._at < 0:
            return None
        self._at -= 1
        return self._draft if self._at < 0 else self._walk[self._at]

    def leave(self) -> str:
        """End the walk: what is in the editor is a new draft. Give the old one, empty when there was none."""
        draft = self._draft if self._at >= 0 else ""
        self._at, self._draft = -1, ""
        return draft.strip() and draft

    def texts(self, scope: Scope, session: str = "") -> list[str]:
        """Give the different prompts of a scope, newest first."""
        seen: dict[str, None] = {}
        for entry in reversed(self.entries):
            if scope == "all" or (
                entry.project == self.project
                and (scope == "project" or entry.session in ("", session))
            ):
                seen.setdefault(entry.text)
        return list(seen)

    def search(self, needle: str, scope: Scope, session: str = "") -> list[str]:
        """Give the prompts that hold ``needle``, without regard to case, newest first."""
        wanted = needle.casefold()
        return [text for text in self.texts(scope, session) if wanted in text.casefold()]
