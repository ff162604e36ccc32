"""What stands in the folders a command works in: protected names, files no rule lets it read, repositories.

The look is bounded, for it is taken before every command: so deep, so many names, and not into the folders that hold
other people's code.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from agent_tui.machine.sandbox.bounds import Bounds

DEPTH: Final = 3
"""How deep protected names are looked for below a folder."""

READ_DEPTH: Final = 8
"""How deep files that may not be read are looked for, where a rule forbids some."""

MAX_NAMES: Final = 4_000
MAX_READ_NAMES: Final = 20_000
PASSED_OVER: Final = frozenset(
    {"node_modules", ".venv", "venv", "target", "dist", "build", "__pycache__", ".tox", "vendor"}
)
"""Folders that protected names are not looked for in: what is there comes and goes with every install."""

GIT_GUARDED: Final = ("config", "config.worktree", "hooks", "commondir", "worktrees")
"""What in a repository's own folder says which programs run; everything else in it is the commands' to write."""


@dataclass(slots=True)
class Found:
    """What was found; paths are absolute. ``pinned`` are folders that stay writable but can't be replaced."""

    protected: list[str] = field(default_factory=list[str])
    pinned: list[str] = field(default_factory=list[str])
    opened: list[str] = field(default_factory=list[str])
    forbidden: list[str] = field(default_factory=list[str])


def look(folders: tuple[str, ...], bounds: Bounds) -> Found:
    """Look through folders (absolute, no links in them). Blocks; what can't be listed is passed over."""
    out = Found()
    for folder in folders:
        _look_below(folder, bounds, out)
    return out


def _look_below(root: str, bounds: Bounds, out: Found) -> None:
    may_read = bounds.may_read
    deepest, most = (READ_DEPTH, MAX_READ_NAMES) if may_read else (DEPTH, MAX_NAMES)
    waiting = deque([(root, 1, True)])
    seen = 0
    while waiting and seen < most:
        folder, depth, guarded = waiting.popleft()
        for entry in _entries(folder):
            seen += 1
            if may_read is not None and not may_read(entry.path):
                out.forbidden.append(entry.path)
                continue
            inner = guarded
            if guarded and depth <= DEPTH and _is_protected(entry.name, bounds):
                _protect(entry, out)
                inner = False
            if depth < deepest and _is_folder(entry) and entry.name != ".git":
                inner = inner and entry.name not in PASSED_OVER
                if inner or may_read is not None:
                    waiting.append((entry.path, depth + 1, inner))


def _protect(entry: os.DirEntry[str], out: Found) -> None:
    if entry.is_symlink():
        return  # a link can't be covered; what it leads to is where it is
    if entry.name == ".git" and os.path.lexists(f"{entry.path}/HEAD"):
        _repository(entry.path, out)
        return
    out.protected.append(entry.path)
    if entry.name == ".claude" and (work := f"{entry.path}/worktrees") and os.path.isdir(work):  # noqa: PTH112
        out.opened.append(work)


def _repository(git: str, out: Found) -> None:
    """Guard what in a repository says which programs run, its sub-modules' too."""
    out.pinned.append(git)
    out.protected += [path for name in GIT_GUARDED if os.path.lexists(path := f"{git}/{name}")]
    for module in _modules(f"{git}/modules", 4):
        for name in GIT_GUARDED:
            if os.path.lexists(path := f"{module}/{name}"):
                out.protected.append(path)


def _modules(folder: str, depth: int) -> Iterator[str]:
    for entry in _entries(folder):
        if not _is_folder(entry):
            continue
        if os.path.lexists(f"{entry.path}/HEAD"):
            yield entry.path
        elif depth > 1:
            yield from _modules(entry.path, depth - 1)


def _is_protected(name: str, bounds: Bounds) -> bool:
    folded = name.casefold()
    return folded in bounds.protected_folders or folded in bounds.protected_files


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        return list(found)
    return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
