"""Paths that were dropped on the terminal, which pastes them: quoted, with backslashes, or as ``file://`` addresses."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from agent_tui.tui.pictures import SUFFIXES

MAX_CHARS = 8_000
_BEGINNINGS = ("/", "~/", "file://", "'/", '"/', "'~/", '"~/')


@dataclass(frozen=True, slots=True)
class Dropped:
    """What may have been dropped.

    Attributes:
        paths: the paths, in order; not looked at yet.
        plain: they are written as a person writes a path, too, so that only pictures are taken for dropped.
    """

    paths: tuple[str, ...]
    plain: bool


def dropped(text: str, home: str) -> Dropped | None:
    """Read a pasted text as dropped paths; None when it is anything else. Looks at no file."""
    said = text.strip()
    if not said.startswith(_BEGINNINGS) or len(said) > MAX_CHARS:
        return None
    try:
        parts = shlex.split(said.replace("\n", " "))
    except ValueError:
        return None
    paths: list[str] = []
    for part in parts:
        path = _path(part, home)
        if path is None:
            return None
        paths.append(path)
    written = any(sign in said for sign in ("'", '"', "\\", "file://")) or text.endswith(" ")
    return Dropped(tuple(paths), plain=not written)


def _path(part: str, home: str) -> str | None:
    if part.startswith("file://"):
        address = urlsplit(part)
        if address.netloc not in ("", "localhost"):
            return None
        return unquote(address.path) or None
    if part.startswith("~/"):
        return str(Path(home) / part[2:])
    return part if part.startswith("/") else None


def is_picture(path: str) -> bool:
    """Whether a path is named as pictures are."""
    return Path(path).suffix.lower() in SUFFIXES


def mention(path: str, cwd: str) -> str:
    """Write a path as it is mentioned in a prompt, from the folder where the session works."""
    shown = os.path.relpath(path, cwd) if Path(path).is_relative_to(cwd) else path
    return f'@"{shown}"' if any(char.isspace() for char in shown) else f"@{shown}"
