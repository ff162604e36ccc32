"""The prompts typed before: one file for all projects and windows, recalled per project.

A JSON line each: ``display`` (the text in full), ``project``, ``timestamp`` (milliseconds), ``sessionId``. The file is
only ever appended to, by one write a line, so windows don't disturb one another. Reading and writing block: call
``load`` and ``append`` in a thread.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from agent_tui.settings.private import make_private_folder

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
