"""Writing "always" answers into settings files: atomically, other content kept, a broken file never touched.

Allow rules in a project's local file are also noted in our own folder (``settings.trusted``): only noted rules count when
the file is read again, so a file that came with a folder grants nothing. Those in its shared file count once the folder
is trusted; where it is, the person who gives one has seen it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, cast

from agent_tui.permissions.rule import parse_rule, problem_of
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.requests import Destination, PermissionUpdate
from agent_tui.settings.brought import rule_mark
from agent_tui.settings.paths import Environment, project_settings, user_settings
from agent_tui.settings.rewriting import rewrite
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


def _rewrite(path: Path, update: PermissionUpdate) -> None:
    def change(data: JsonObject) -> None:
        permissions = data.setdefault("permissions", {})
        if not isinstance(permissions, dict):
            raise SettingsError(f"{path}: permissions must be an object; the file is left alone")
        _change(cast("JsonObject", permissions), update, path)

    rewrite(path, change)


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
