"""The settings files, lowest first, joined; for each rule where it stands.

The order is user, project, local, what ``--settings`` gave (the *flag* layer), managed. The flag layer is the person's
own, so everything in it counts.

Until a folder is trusted, what it brings may only make things stricter: project files add deny and ask rules and
nothing else. ``settings.local.json`` may add the allow rules that the person gave there through us: they are also
noted in our own folder (``trusted.py``), so that a file that came with the folder has no effect. A trusted project's
files may also allow, add folders, choose a mode that still asks, name hooks and set what ``PROJECT_KEYS`` lists: never
an address or a key, and nothing that loosens what the person has set.

A file that can't be read could hold deny rules, so loading then fails, as it does when a deny or ask rule is no text; a
file is never rewritten.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.keybindings import SourcedKeys
from agent_tui.settings.options import SettingSource
from agent_tui.settings.paths import (
    Environment,
    managed_settings,
    project_settings,
    user_settings,
)
from agent_tui.settings.positions import Written, place
from agent_tui.settings.rule_entries import BEHAVIORS, STRICTER, SourcedRule, read_entries
from agent_tui.settings.sandbox import SourcedSandbox
from agent_tui.settings.schema import Settings, read_settings
from agent_tui.settings.trusted import trusted_rules

HARMLESS = frozenset({"permissions", "sandbox", "$schema"})
"""Keys of a project file that are no reason for a notice."""
PROJECT_KEYS = frozenset(
    {"model", "fallbackModel", "effortLevel", "autoCompactEnabled", "autoCompactWindow"}
)
"""Settings that a trusted project may make."""
PROJECT_MODES = frozenset({"default", "manual", "acceptEdits", "plan", "dontAsk"})
"""Modes that a trusted project may start in."""
FORBIDDING = frozenset({"disableBypassPermissionsMode", "disableAutoMode"})
"""Keys of ``permissions`` that only forbid."""


@dataclass(frozen=True, slots=True)
class SourcedHooks:
    """What a file says under ``hooks``, unread (``hooks.configured`` reads it), and where it stands."""

    data: Any
    source: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Layers:
    """All settings. ``notices`` are sentences about what was left out and why."""

    settings: Settings = field(default_factory=Settings)
    rules: tuple[SourcedRule, ...] = ()
    additional_dirs: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    hooks: tuple[SourcedHooks, ...] = ()
    sandbox: tuple[SourcedSandbox, ...] = ()
    keys: tuple[SourcedKeys, ...] = ()


@dataclass(frozen=True, slots=True)
class FlagSettings:
    """What ``--settings`` or a program gave: a settings object, the file it was read from (empty for none), its ``/``."""

    data: dict[str, Any]
    path: str
    anchor: Path


FLAG = "--settings"
"""Names settings that stand in no file."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One file that was read: where it stands, what it is a source of, the folder that ``/`` means in it."""

    path: Path
    source: str
    anchor: Path
    data: dict[str, Any]
    written: Written

    @property
    def permissions(self) -> dict[str, Any]:
        """What stands under ``permissions``."""
        inner = self.data.get("permissions")
        return cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}

    @property
    def folders(self) -> tuple[str, ...]:
        """Further working folders, as written."""
        given: Any = self.permissions.get("additionalDirectories")
        entries = cast("list[Any]", given) if isinstance(given, list) else []
        return tuple(entry for entry in entries if isinstance(entry, str))

    @property
    def project_mode(self) -> str:
        """The mode that the file may choose for its project, empty for none."""
        mode = self.permissions.get("defaultMode")
        return mode if isinstance(mode, str) and mode in PROJECT_MODES else ""

    @property
    def project_settings(self) -> dict[str, Any]:
        """The settings that the file may make for its project."""
        return {key: value for key, value in self.data.items() if key in PROJECT_KEYS}


def load(
    env: Environment,
    cwd: Path,
    sources: Iterable[SettingSource] = ("user", "project", "local"),
    *,
    managed: Path | None = None,
    flag: FlagSettings | None = None,
    trusted: bool = False,
) -> Layers:
    """Read all files that are there. Blocks on files.

    Args:
        env: where the person's files are.
        cwd: the project's root.
        sources: whose files to read; the administrator's always is.
        managed: the administrator's file, where it is not in its usual place.
        flag: what ``--settings`` gave.
        trusted: the person trusts the project.

    Raises:
        SettingsError: a file can't be read; the text names it and the line.
    """
    wanted = frozenset(sources)
    layers = Layers()
    if "user" in wanted:
        for path in user_settings(env):
            layers = _own(layers, _read(path, "user", path.parent))
    for file in project_files(env, cwd, wanted):
        if trusted:
            layers = _trusted(layers, file, env)
        else:
            own = trusted_rules(env, cwd) if file.source == "local" else frozenset[str]()
            layers = _stricter(layers, file, own)
    if flag is not None and flag.data:
        layers = _own(layers, _given(flag))
    path = managed or managed_settings()
    return _own(layers, _read(path, "managed", path.parent))


def read_files(
    env: Environment,
    cwd: Path,
    sources: Iterable[SettingSource] = ("user", "project", "local"),
    *,
    managed: Path | None = None,
    flag: FlagSettings | None = None,
    trusted: bool = False,
) -> list[SettingsFile]:
    """Read the files whose settings count, lowest first; a project's only once it is trusted. See ``load``.

    Raises:
        SettingsError: a file can't be read.
    """
    wanted = frozenset(sources)
    own = user_settings(env) if "user" in wanted else ()
    found = [_read(path, "user", path.parent) for path in own]
    if trusted:
        found += project_files(env, cwd, wanted)
    if flag is not None and flag.data:
        found.append(_given(flag))
    path = managed or managed_settings()
    found.append(_read(path, "managed", path.parent))
    return [file for file in found if file is not None]


def project_files(env: Environment, project: Path, sources: Collection[str]) -> list[SettingsFile]:
    """Read the files of a project that are there and are asked for, lowest first. Blocks on files.

    In the home folder the person's own file stands in the place of a project's.

    Raises:
        SettingsError: one can't be read; the text names it and the line.
    """
    shared, local = project_settings(project)
    files = [
        _read(path, source, project)
        for path, source in ((shared, "project"), (local, "local"))
        if source in sources and path not in user_settings(env)
    ]
    return [file for file in files if file is not None]


def _read(path: Path, source: str, anchor: Path) -> SettingsFile | None:
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe that came with a folder would never end
            raise SettingsError(f"{path} can't be read (it is no file). Mend or remove it.")
        text = path.read_text("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} can't be read ({error}). Mend or remove it.") from error
    return SettingsFile(
        path, source, anchor, parse_settings(text, str(path)), Written(str(path), text)
    )


def parse_settings(text: str, name: str) -> dict[str, Any]:
    """Read the text of a settings file; ``name`` names it in errors.

    Raises:
        SettingsError: it holds no settings object; the text names the file and the line.
    """
    written = Written(name, text)
    try:
        data: Any = json.loads(text, object_pairs_hook=_once) if text.strip() else {}
    except _TwiceError as error:
        key, line = written.twice or (str(error), 0)
        where = place(name, line)
        raise SettingsError(f"{where}: the key {key!r} stands twice; mend it.") from None
    except json.JSONDecodeError as error:
        raise SettingsError(
            f"{name}, line {error.lineno}: not valid JSON ({error.msg}). It may hold rules that "
            "protect you, so nothing is started without it; mend the line."
        ) from error
    except RecursionError:
        raise SettingsError(f"{name}: nested too deep to be read; mend or remove it.") from None
    except ValueError as error:  # a number of more digits than are read
        raise SettingsError(f"{name} can't be read ({error}); mend or remove it.") from None
    if not isinstance(data, dict):
        raise SettingsError(f"{written.at()}: a settings file must hold one JSON object.")
    return _with_permissions(cast("dict[str, Any]", data), written)


def _with_permissions(data: dict[str, Any], written: Written) -> dict[str, Any]:
    if not isinstance(data.get("permissions", {}), dict):
        raise SettingsError(f"{written.at('permissions')}: permissions must be an object; mend it.")
    return data


def _given(flag: FlagSettings) -> SettingsFile:
    text = ""
    if flag.path:
        with contextlib.suppress(OSError, UnicodeDecodeError):  # only to find the lines of rules
            text = Path(flag.path).read_text("utf-8-sig")
    path = Path(flag.path or FLAG)
    written = Written(str(path), text)
    return SettingsFile(path, "flag", flag.anchor, _with_permissions(flag.data, written), written)


class _TwiceError(Exception):
    """A key stands twice in an object, so one of its values would be lost."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise _TwiceError(key)
        data[key] = value
    return data


def _own(layers: Layers, file: SettingsFile | None) -> Layers:
    """Take everything: the person's own file, or the administrator's."""
    if file is None:
        return layers
    read = read_settings(file.data, file.written)
    rules, problems = _rules(file)
    keys = file.data.get("keybindings")
    return Layers(
        read.settings.over(layers.settings),
        (*layers.rules, *rules),
        (*layers.additional_dirs, *file.folders),
        (*layers.notices, *read.problems, *problems),
        (*layers.hooks, *_hooks(file)),
        (*layers.sandbox, *_sandbox(file)),
        layers.keys if keys is None else (*layers.keys, SourcedKeys(keys, file.written)),
    )


def _stricter(layers: Layers, file: SettingsFile, own: frozenset[str]) -> Layers:
    """Take deny and ask rules, and the allow rules that are known to be the person's own."""
    rules, problems = _rules(file)
    kept = tuple(rule for rule in rules if rule.behavior in STRICTER or rule.text in own)
    return replace(
        layers,
        rules=(*layers.rules, *kept),
        notices=(*layers.notices, *problems, *_never(file)),
        sandbox=(*layers.sandbox, *_sandbox(file)),
    )


def _trusted(layers: Layers, file: SettingsFile, env: Environment) -> Layers:
    """Take what a trusted project may say."""
    rules, problems = _rules(file)
    inner = {"defaultMode": file.project_mode} if file.project_mode else {}
    inner |= {key: file.permissions[key] for key in FORBIDDING if key in file.permissions}
    read = read_settings({**file.project_settings, "permissions": inner}, file.written)
    folders = (_in_project(name, file.anchor, env) for name in file.folders)
    return Layers(
        read.settings.over(layers.settings),
        (*layers.rules, *rules),
        (*layers.additional_dirs, *folders),
        (*layers.notices, *problems, *read.problems, *_never(file)),
        (*layers.hooks, *_hooks(file)),
        (*layers.sandbox, *_sandbox(file)),
        layers.keys,
    )


def _in_project(name: str, project: Path, env: Environment) -> str:
    """Give the folder that a project's file names."""
    path = env.home / name[2:] if name.startswith("~/") else project / name
    return os.path.normpath(path)


def _never(file: SettingsFile) -> list[str]:
    """Say what is not taken from a project's file, trusted or not."""
    keys = sorted(set(file.data) - HARMLESS - PROJECT_KEYS - {"hooks"})
    permissions = set(file.permissions) - set(BEHAVIORS) - {"additionalDirectories"}
    if file.project_mode:
        permissions.discard("defaultMode")
    keys += [f"permissions.{key}" for key in sorted(permissions - FORBIDDING)]
    if not keys:
        return []
    return [
        f"{file.path}: {', '.join(keys)} ignored; a project's file can't set that, trusted or not."
    ]


def _hooks(file: SettingsFile) -> tuple[SourcedHooks, ...]:
    found = file.data.get("hooks")
    return () if found is None else (SourcedHooks(found, file.source, str(file.path)),)


def _sandbox(file: SettingsFile) -> tuple[SourcedSandbox, ...]:
    """Give what a file says of the sandbox; of a project's file only what tightens it counts (``settings.sandbox``)."""
    found = file.data.get("sandbox")
    return () if found is None else (SourcedSandbox(found, file.source, str(file.path)),)


def _rules(file: SettingsFile) -> tuple[list[SourcedRule], list[str]]:
    return read_entries(file.permissions, file.written, file.source, str(file.anchor))
