"""Writing "always" answers into settings files: atomically, other content kept, a broken file never touched.

Allow rules in a project's local file are also noted in our own folder (``settings.trusted``): only noted rules count when
the file is read again, so a file that came with a folder grants nothing. Those in its shared file count once the folder
is trusted; where it is, the person who gives one has seen it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final, cast

from agent_tui.permissions.rule import parse_rule, problem_of
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.requests import Destination, PermissionUpdate
from agent_tui.settings.brought import rule_mark
from agent_tui.settings.paths import Environment, project_settings, user_settings
from agent_tui.settings.private import make_private_folder
from agent_tui.settings.rule_entries import rule_of
from agent_tui.settings.trust import approve
from agent_tui.settings.trusted import trust_rules

MAX_STORED: Final = 400
"""Characters of a rule that may be stored; longer ones are texts, not rules."""


def store(update: PermissionUpdate, project: Path, env: Environment) -> None:
    """Write an update to the file its destination names; nothing for ``session``. Blocks on files.

    Raises:
        SettingsError: it can't be stored; the file is as it was.
    """
    if update.destination == "session":
        return
    _check(update)
    path = _file_of(update.destination, project, env)
    try:
        with _locked(path.parent):
            _rewrite(path, update)
        if update.behavior == "allow" and update.rules:
            if update.destination == "localSettings":
                trust_rules(env, project, map(str, update.rules))
            elif update.destination == "projectSettings":
                approve(env, project, (rule_mark(str(rule)) for rule in update.rules))
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror or error}.") from error


def _check(update: PermissionUpdate) -> None:
    if update.limit is not None:
        raise SettingsError("what holds for a while only is kept for the session")
    own = update.destination == "userSettings"
    if not own and update.type in ("setMode", "addDirectories", "removeDirectories"):
        raise SettingsError(
            "a project's file can't set the mode or add folders; that can be stored in your own settings"
        )
    for value in update.rules:
        text = str(value)
        why = problem_of(value, update.behavior) if parse_rule(text) == value else "it is malformed"
        if why is None and (len(text) > MAX_STORED or "\n" in text):
            why = "it is too long to be a rule"
        if why is not None:
            shown = text if len(text) < 80 else f"{text[:77]}..."
            raise SettingsError(f"the rule {shown!r} isn't stored: {why}")


def _file_of(destination: Destination, project: Path, env: Environment) -> Path:
    """Find the file; a link in a project must not lead out of it."""
    if destination == "userSettings":
        return Path(os.path.realpath(user_settings(env)[1]))
    shared, local = project_settings(project)
    path = shared if destination == "projectSettings" else local
    real, root = os.path.realpath(path), os.path.realpath(project)
    if not real.startswith(root.rstrip("/") + "/"):
        raise SettingsError(f"{path} leads out of the project, so nothing is written there")
    return Path(real)


@contextlib.contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Keep two sessions from overwriting one another's answers; where locks don't work, go on without."""
    make_private_folder(folder)
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _rewrite(path: Path, update: PermissionUpdate) -> None:
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        text = ""
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} isn't valid UTF-8, so it is left alone") from error
    data = _parsed(text, path)
    permissions = data.setdefault("permissions", {})
    if not isinstance(permissions, dict):
        raise SettingsError(f"{path}: permissions must be an object; the file is left alone")
    _change(cast("JsonObject", permissions), update, path)
    _replace(path, json.dumps(data, indent=_indent(text), ensure_ascii=False) + "\n")


def _parsed(text: str, path: Path) -> JsonObject:
    if not text.strip():
        return {}
    try:
        data: Any = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise SettingsError(
            f"{path}, line {error.lineno}: not valid JSON ({error.msg}); the file is left alone"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}; the file is left alone") from error
    if not isinstance(data, dict):
        raise SettingsError(f"{path} must hold one JSON object; the file is left alone")
    return cast("JsonObject", data)


def _once(pairs: list[tuple[str, Any]]) -> JsonObject:
    """A key that stands twice would lose one of its values."""
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return data


def _change(permissions: JsonObject, update: PermissionUpdate, path: Path) -> None:
    rules = [str(rule) for rule in update.rules]
    match update.type:
        case "addRules":
            entries = _list(permissions, update.behavior, path)
            present = set(map(rule_of, entries))
            entries += [rule for rule in rules if rule not in present]
        case "removeRules":
            entries = _list(permissions, update.behavior, path)
            entries[:] = [entry for entry in entries if rule_of(entry) not in rules]
        case "replaceRules":
            entries = _list(permissions, update.behavior, path)
            known = {rule_of(entry): entry for entry in entries}
            entries[:] = [known.get(rule, rule) for rule in rules]
        case "setMode":
            permissions["defaultMode"] = update.mode
        case "addDirectories":
            entries = _list(permissions, "additionalDirectories", path)
            entries += [folder for folder in update.directories if folder not in entries]
        case "removeDirectories":
            entries = _list(permissions, "additionalDirectories", path)
            entries[:] = [entry for entry in entries if entry not in update.directories]


def _list(permissions: JsonObject, key: str, path: Path) -> list[Any]:
    entries = permissions.setdefault(key, [])
    if not isinstance(entries, list):
        raise SettingsError(f"{path}: permissions.{key} must be a list; the file is left alone")
    return cast("list[Any]", entries)


def _indent(text: str) -> int | str:
    """Take over the indentation a file has."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    if found is None:
        return 2
    return "\t" if "\t" in found[1] else len(found[1])


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all, with the rights it had."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
