"""The place a session works in: what the model is told of it once, and the branch the status bar shows.

No program is run for it. In a folder nobody has trusted yet, ``git status`` could run what the repository's own
configuration names, so only files are read.
"""

from __future__ import annotations

import platform
from datetime import datetime
from pathlib import Path

from agent_tui.context.system_prompt import Surroundings
from agent_tui.settings.paths import Environment
from agent_tui.settings.plain import read_plain

REF = "ref: refs/heads/"


def surroundings(cwd: Path, folders: tuple[Path, ...], now: datetime) -> Surroundings:
    """Describe the place as it is now."""
    return Surroundings(
        cwd=str(cwd),
        date=now.date().isoformat(),
        platform=f"{platform.system()} {platform.release()}",
        shell="/bin/bash",
        git_branch=git_branch(cwd),
        folders=tuple(map(str, folders)),
    )


def git_branch(cwd: Path) -> str | None:
    """Read the branch of the repository ``cwd`` is in; empty on a detached head, None outside a repository."""
    for folder in (cwd, *cwd.parents):
        head = _git_folder(folder / ".git")
        if head is None:
            continue
        try:
            text = read_plain(head / "HEAD").decode("utf-8", "replace").strip()
        except OSError:
            return ""
        return text.removeprefix(REF) if text.startswith(REF) else ""
    return None


def project_root(cwd: Path, env: Environment) -> Path:
    """Find the repository's folder, ``cwd`` where there is none; the home folder is never taken for one."""
    for folder in (cwd, *cwd.parents):
        if (folder / ".git").exists() and folder != env.home:
            return folder
    return cwd


def _git_folder(dot_git: Path) -> Path | None:
    """Follow a worktree's ``.git`` file to its folder."""
    if dot_git.is_dir():
        return dot_git
    try:
        text = read_plain(dot_git).decode("utf-8", "replace")
    except OSError:
        return None
    if not text.startswith("gitdir:"):
        return None
    return (dot_git.parent / text.removeprefix("gitdir:").strip()).resolve()
