"""The other working trees of a repository, read from its files: no program is run to look at a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agent_tui.settings.plain import read_plain


def worktrees(folder: Path) -> list[Path]:
    """Give the top folders of all working trees of the repository ``folder`` is in, except its own; [] outside one."""
    here = folder.resolve()
    for top in (here, *here.parents):
        if (top / ".git").exists():
            common = _common(top / ".git")
            return [] if common is None else [tree for tree in _trees(common) if tree != top]
    return []


def _common(dot_git: Path) -> Path | None:
    """Find the repository's own folder, which all its working trees share."""
    if dot_git.is_dir():
        return dot_git
    text = _text(dot_git)
    if not text.startswith("gitdir:"):
        return None
    own = dot_git.parent / text.removeprefix("gitdir:").strip()
    return (own / (_text(own / "commondir") or "../..")).resolve()


def _trees(common: Path) -> Iterator[Path]:
    if common.name == ".git":
        yield common.parent
    try:
        entries = sorted((common / "worktrees").iterdir())
    except OSError:
        return
    for entry in entries:
        text = _text(entry / "gitdir")
        if text:
            yield (entry / text).resolve().parent


def _text(path: Path) -> str:
    try:
        return read_plain(path).decode("utf-8", "replace").strip()
    except OSError:
        return ""
