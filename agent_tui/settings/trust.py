"""Which folders the person trusts, and what of each they have seen: ``~/.agent-tui/trust.json``, owner-only.

Real path of the project's root to ``{"marks": […], "trusted": "2026-01-31"}``. A mark stands for one thing that the folder
brought when it was trusted (``protocol.trust.Brought``), so what comes later is asked anew.

A trusted folder covers its sub-folders, but no repository of its own inside it: that came from somewhere else. The
home folder and ``/`` cover nothing: everything is below them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, cast

from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.paths import Environment, root
from agent_tui.settings.plain import read_plain
from agent_tui.settings.private import write_private


@dataclass(frozen=True, slots=True)
class Trust:
    """What is known of a folder.

    Attributes:
        marks: what was seen when it was trusted; None: it never was.
        covered: a folder around it is trusted.
    """

    marks: frozenset[str] | None = None
    covered: bool = False


def trust_file(env: Environment) -> Path:
    """Where trust is kept."""
    return root(env) / "trust.json"


def trust_in(env: Environment, project: Path) -> Trust:
    """Look a project up. Blocks on files; a file that can't be read, or that others could have written, trusts nothing."""
    known = _all(env)
    real = Path(os.path.realpath(project))
    mine = known.get(str(real))
    return Trust(
        None if mine is None else frozenset(_marks(mine)),
        any(str(folder) in known for folder in _around(real, env)),
    )


def remember(env: Environment, project: Path, marks: Iterable[str]) -> None:
    """Trust a folder with what it brings now; what it brought before and has no more is forgotten.

    Raises:
        SettingsError: it can't be written.
    """
    known = _all(env)
    entry = {"marks": sorted(set(marks)), "trusted": date.today().isoformat()}
    known[os.path.realpath(project)] = entry
    _write(env, known)


def approve(env: Environment, project: Path, marks: Iterable[str]) -> None:
    """Add what the person themself put into a trusted folder; nothing where the folder is not trusted.

    Raises:
        SettingsError: it can't be written.
    """
    known = _all(env)
    real = os.path.realpath(project)
    if real in known:
        entry = known[real]
        known[real] = {**entry, "marks": sorted({*_marks(entry), *marks})}
        _write(env, known)


def _around(real: Path, env: Environment) -> list[Path]:
    """Give the folders whose trust covers one."""
    if (real / ".git").exists():
        return []
    too_wide = (Path("/"), Path(os.path.realpath(env.home)))
    return [folder for folder in real.parents if folder not in too_wide]


def _all(env: Environment) -> dict[str, Mapping[str, Any]]:
    path = trust_file(env)
    try:
        state = path.stat()
        if state.st_uid != os.geteuid() or state.st_mode & 0o022:
            return {}
        data: Any = json.loads(read_plain(path))
    except (OSError, ValueError, RecursionError):
        return {}
    entries = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    return {
        folder: cast("Mapping[str, Any]", entry)
        for folder, entry in entries.items()
        if isinstance(entry, dict)
    }


def _marks(entry: Mapping[str, Any]) -> list[str]:
    given: Any = entry.get("marks")
    marks = cast("list[Any]", given) if isinstance(given, list) else []
    return [mark for mark in marks if isinstance(mark, str)]


def _write(env: Environment, known: Mapping[str, Mapping[str, Any]]) -> None:
    path = trust_file(env)
    try:
        write_private(path, json.dumps(known, indent=2, sort_keys=True) + "\n")
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror or error}") from error
