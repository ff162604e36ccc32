"""The settings files, lowest first, joined; for each rule where it stands.

The order is user, project, local, what ``--settings`` gave (the *flag* layer), managed. The flag layer is the person's
own, so everything in it counts.

Until a folder can be trusted, what it brings may only make things stricter: project files add deny and ask rules and
nothing else. ``settings.local.json`` may add the allow rules that the person gave there through us: they are also
noted in our own folder (``trusted.py``), so that a file that came with the folder has no effect.

A file that can't be read could hold deny rules, so loading then fails, as it does when a deny or ask rule is no text; a
file is never rewritten.
"""

from __future__ import annotations

import contextlib
import json
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.options import SettingSource
from agent_tui.settings.paths import (
    Environment,
    managed_settings,
    project_settings,
    user_settings,
)
from agent_tui.settings.positions import Written, place
from agent_tui.settings.rule_entries import BEHAVIORS, STRICTER, SourcedRule, read_entries
from agent_tui.settings.schema import Settings, read_settings
from agent_tui.settings.trusted import trusted_rules

HARMLESS = frozenset({"permissions", "$schema"})
"""Keys of a project file that are no reason for a notice."""


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


@dataclass(frozen=True, slots=True)
class FlagSettings:
    """What ``--settings`` or a program gave: a settings object, the file it was read from (empty for none), its ``/``."""

    data: dict[str, Any]
    path: str
    anchor: Path


FLAG = "--settings"
"""Names settings that stand in no file."""


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    source: str
    anchor: Path
    data: dict[str, Any]
    written: Written

    @property
    def permissions(self) -> dict[str, Any]:
        inner = self.data.get("permissions")
        return cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}


def load(
    env: Environment,
    cwd: Path,
    sources: Iterable[SettingSource] = ("user", "project", "local"),
    *,
    managed: Path | None = None,
    flag: FlagSettings | None = None,
) -> Layers:
    """Read all files that are there. Blocks on files.

    Raises:
        SettingsError: a file can't be read; the text names it and the line.
    """
    wanted = frozenset(sources)
    layers = Layers()
    if "user" in wanted:
        for path in user_settings(env):
            layers = _own(layers, _read(path, "user", path.parent))
    shared, local = project_settings(cwd)
    if "project" in wanted:
        layers = _stricter(layers, _read(shared, "project", cwd), frozenset())
    if "local" in wanted:
        layers = _stricter(layers, _read(local, "local", cwd), trusted_rules(env, cwd))
    if flag is not None and flag.data:
        layers = _own(layers, _given(flag))
    path = managed or managed_settings()
    return _own(layers, _read(path, "managed", path.parent))


def _read(path: Path, source: str, anchor: Path) -> _File | None:
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe that came with a folder would never end
            raise SettingsError(f"{path} can't be read (it is no file). Mend or remove it.")
        text = path.read_text("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} can't be read ({error}). Mend or remove it.") from error
    return _File(path, source, anchor, parse_settings(text, str(path)), Written(str(path), text))


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


def _given(flag: FlagSettings) -> _File:
    text = ""
    if flag.path:
        with contextlib.suppress(OSError, UnicodeDecodeError):  # only to find the lines of rules
            text = Path(flag.path).read_text("utf-8-sig")
    path = Path(flag.path or FLAG)
    written = Written(str(path), text)
    return _File(path, "flag", flag.anchor, _with_permissions(flag.data, written), written)


class _TwiceError(Exception):
    """A key stands twice in an object, so one of its values would be lost."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise _TwiceError(key)
        data[key] = value
    return data


def _own(layers: Layers, file: _File | None) -> Layers:
    """Take everything: the person's own file, or the administrator's."""
    if file is None:
        return layers
    read = read_settings(file.data, file.written)
    rules, problems = _rules(file)
    folders = file.permissions.get("additionalDirectories", ())
    return Layers(
        read.settings.over(layers.settings),
        (*layers.rules, *rules),
        (*layers.additional_dirs, *(str(f) for f in folders if isinstance(f, str))),
        (*layers.notices, *read.problems, *problems),
        (*layers.hooks, *_hooks(file)),
    )


def _stricter(layers: Layers, file: _File | None, trusted: frozenset[str]) -> Layers:
    """Take deny and ask rules, and the allow rules that are known to be the person's own."""
    if file is None:
        return layers
    rules, problems = _rules(file)
    kept = tuple(rule for rule in rules if rule.behavior in STRICTER or rule.text in trusted)
    notices = [*problems]
    if len(kept) < len(rules):
        notices.append(
            f"{file.path}: {len(rules) - len(kept)} allow rules are ignored, because this folder "
            "can't be trusted yet; put your own into your user settings."
        )
    ignored = sorted(set(file.data) - HARMLESS) + sorted(
        f"permissions.{key}" for key in set(file.permissions) - set(BEHAVIORS)
    )
    if ignored:
        notices.append(
            f"{file.path}: {', '.join(ignored)} ignored; a project's file may only add deny and ask rules."
        )
    return Layers(
        layers.settings,
        (*layers.rules, *kept),
        layers.additional_dirs,
        (*layers.notices, *notices),
        layers.hooks,
    )


def _hooks(file: _File) -> tuple[SourcedHooks, ...]:
    found = file.data.get("hooks")
    return () if found is None else (SourcedHooks(found, file.source, str(file.path)),)


def _rules(file: _File) -> tuple[list[SourcedRule], list[str]]:
    return read_entries(file.permissions, file.written, file.source, str(file.anchor))
