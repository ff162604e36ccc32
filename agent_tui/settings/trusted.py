"""Which allow rules of a project's local file are the person's own: those they gave through us.

``~/.agent-tui/trusted-rules.json``, owner-only: real path of the project to a list of rules. A local file that came
with a folder (unpacked, cloned) names rules that are not in it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from agent_tui.settings.paths import Environment, root
from agent_tui.settings.private import write_private


def trusted_rules(env: Environment, project: Path) -> frozenset[str]:
    """Give the rules the person gave for this project."""
    return frozenset(_all(env).get(_key(project), ()))


def trust_rules(env: Environment, project: Path, rules: Iterable[str]) -> None:
    """Note rules as the person's own.

    Raises:
        OSError: it can't be written.
    """
    known = _all(env)
    mine = known.setdefault(_key(project), [])
    mine.extend(rule for rule in rules if rule not in mine)
    write_private(_path(env), json.dumps(known, indent=2, sort_keys=True) + "\n")


def _all(env: Environment) -> dict[str, list[str]]:
    """Read the file; one that can't be read, or that others could have written, trusts nothing."""
    with contextlib.suppress(OSError, ValueError):
        state = _path(env).stat()
        if state.st_uid != os.geteuid() or state.st_mode & 0o022:
            return {}
        data: Any = json.loads(_path(env).read_text("utf-8"))
        if isinstance(data, dict):
            entries = cast("dict[str, Any]", data)
            return {key: _texts(value) for key, value in entries.items()}
    return {}


def _texts(value: Any) -> list[str]:
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return [entry for entry in entries if isinstance(entry, str)]


def _path(env: Environment) -> Path:
    return root(env) / "trusted-rules.json"


def _key(project: Path) -> str:
    return os.path.realpath(project)
