"""The settings files, lowest first, joined; for each rule where it stands.

Until a folder can be trusted, what it brings may only make things stricter: project files add deny and ask rules and
nothing else. ``settings.local.json`` may add the allow rules that the person gave there through us: they are also
noted in our own folder (``trusted.py``), so that a file that came with the folder has no effect.

A file that can't be read could hold deny rules, so loading then fails; it is never rewritten.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.requests import RuleBehavior
from agent_tui.settings.options import SettingSource
from agent_tui.settings.paths import (
    Environment,
    managed_settings,
    project_settings,
    user_settings,
)
from agent_tui.settings.schema import Settings, read_settings
from agent_tui.settings.trusted import trusted_rules

BEHAVIORS: tuple[RuleBehavior, ...] = ("allow", "ask", "deny")
STRICTER = frozenset({"ask", "deny"})
HARMLESS = frozenset({"permissions", "$schema"})
"""Keys of a project file that are no reason for a notice."""


@dataclass(frozen=True, slots=True)
class SourcedRule:
    """A rule as it was written, and where: source name, file, line (from 1, 0 unknown), folder that ``/`` means."""

    behavior: RuleBehavior
    text: str
    source: str
    path: str = ""
    line: int = 0
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Layers:
    """All settings. ``notices`` are sentences about what was left out and why."""

    settings: Settings = field(default_factory=Settings)
    rules: tuple[SourcedRule, ...] = ()
    additional_dirs: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    source: str
    anchor: Path
    data: dict[str, Any]
    text: str

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
    try:
        data: Any = json.loads(text, object_pairs_hook=_once) if text.strip() else {}
    except _TwiceError as error:
        raise SettingsError(f"{path}: the key {error} stands twice; mend it.") from None
    except json.JSONDecodeError as error:
        raise SettingsError(
            f"{path}, line {error.lineno}: not valid JSON ({error.msg}). It may hold rules that "
            "protect you, so nothing is started without it; mend the line."
        ) from error
    except RecursionError:
        raise SettingsError(f"{path}: nested too deep to be read; mend or remove it.") from None
    if not isinstance(data, dict):
        raise SettingsError(f"{path}: a settings file must hold one JSON object.")
    if not isinstance(cast("dict[str, Any]", data).get("permissions", {}), dict):
        raise SettingsError(f"{path}: permissions must be an object; mend it.")
    return _File(path, source, anchor, cast("dict[str, Any]", data), text)


class _TwiceError(Exception):
    """A key stands twice in an object, so one of its values would be lost."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise _TwiceError(repr(key))
        data[key] = value
    return data


def _own(layers: Layers, file: _File | None) -> Layers:
    """Take everything: the person's own file, or the administrator's."""
    if file is None:
        return layers
    read = read_settings(file.data, str(file.path))
    rules, problems = _rules(file)
    folders = file.permissions.get("additionalDirectories", ())
    return Layers(
        read.settings.over(layers.settings),
        (*layers.rules, *rules),
        (*layers.additional_dirs, *(str(f) for f in folders if isinstance(f, str))),
        (*layers.notices, *read.problems, *problems),
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
    )


def _rules(file: _File) -> tuple[list[SourcedRule], list[str]]:
    rules: list[SourcedRule] = []
    problems: list[str] = []
    for behavior in BEHAVIORS:
        entries = file.permissions.get(behavior, [])
        if not isinstance(entries, list):
            raise SettingsError(
                f"{file.path}: permissions.{behavior} must be a list of rules; mend it."
            )
        for entry in cast("list[Any]", entries):
            if isinstance(entry, str):
                line = _line_of(file.text, entry)
                path, anchor = str(file.path), str(file.anchor)
                rules.append(SourcedRule(behavior, entry, file.source, path, line, anchor))
            else:
                problems.append(f"{file.path}: permissions.{behavior} holds {entry!r}, no rule.")
    return rules, problems


def _line_of(text: str, rule: str) -> int:
    """Find the line a rule stands in, 0 if it is written in a way we don't find."""
    found = re.search(re.escape(json.dumps(rule)), text) or re.search(
        re.escape(json.dumps(rule, ensure_ascii=False)), text
    )
    return text.count("\n", 0, found.start()) + 1 if found else 0
