"""Where a program's stored sessions are on this machine: the same folder and the same files the product uses.

The environment is read at every call, so a program may point us elsewhere (``AGENT_TUI_HOME``) at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agent_tui.journal.catalogue import folders, folders_of, is_uuid
from agent_tui.journal.side_chain import FOLDER, PREFIX, side_folder
from agent_tui.protocol.content import JsonObject
from agent_tui.sdk.worktrees import worktrees
from agent_tui.settings.paths import Environment, project_key


def project_key_for_directory(directory: str | Path | None = None) -> str:
    """Give the name of a folder's project in ``~/.agent-tui/projects`` and in stores; None is the current folder."""
    return project_key(Path(directory) if directory is not None else Path.cwd())


def session_file(session_id: str, directory: str | None = None) -> Path | None:
    """Find a session's file: in the project of ``directory`` and the worktrees of its repository, or in all.

    None where there is none, or the id is no UUID.
    """
    if not is_uuid(session_id):
        return None
    for folder in _places(directory):
        path = folder / f"{session_id}.jsonl"
        if path.is_file() and path.stat().st_size:
            return path
    return None


def needed_file(session_id: str, directory: str | None = None) -> Path:
    """Find a session's file.

    Raises:
        ValueError: the id is no UUID.
        FileNotFoundError: there is no such session.
    """
    need_uuid(session_id)
    path = session_file(session_id, directory)
    if path is None:
        where = f" in the project of {directory}" if directory is not None else ""
        raise FileNotFoundError(f"There is no session {session_id}{where}.")
    return path


def need_uuid(text: str, what: str = "session id") -> None:
    """Refuse what is no UUID.

    Raises:
        ValueError: it is none.
    """
    if not is_uuid(text):
        raise ValueError(f"{text!r} is no {what}: that is a UUID.")


def side_files(journal: Path) -> dict[str, Path]:
    """Give the sub-agents' journals of a session by id, those in folders of their own too, in order of their paths."""
    found = sorted(side_folder(journal).rglob(f"{PREFIX}*.jsonl"))
    return {path.stem.removeprefix(PREFIX): path for path in reversed(found)}


def subpath_of(journal: Path, side: Path) -> str:
    """Name a sub-agent's journal as stores do: ``subagents/agent-<id>``."""
    inside = side.with_suffix("").relative_to(side_folder(journal))
    return f"{FOLDER}/{inside.as_posix()}"


def agent_of(subpath: str) -> str | None:
    """Give the id of the sub-agent whose journal a subpath names, None for another one."""
    parts = subpath.split("/")
    if parts[0] != FOLDER or len(parts) < 2 or not parts[-1].startswith(PREFIX):
        return None
    return parts[-1].removeprefix(PREFIX) or None


def parents(about: JsonObject) -> tuple[str | None, str | None]:
    """Read the call and the sub-agent that began a sub-agent, from the note beside its journal."""
    call, agent = about.get("toolUseId"), about.get("parentAgentId")
    return (
        call if isinstance(call, str) and call else None,
        agent if isinstance(agent, str) and agent else None,
    )


def _places(directory: str | None) -> Iterator[Path]:
    env = Environment.of_process()
    if directory is None:
        yield from folders(env)
        return
    for place in (Path(directory), *worktrees(Path(directory))):
        yield from folders_of(env, place)
