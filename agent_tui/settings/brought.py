"""What a project's settings files bring that needs the person's trust: hooks, allow rules, folders, a mode, settings.

Only what ``layers.load`` takes from a trusted project is listed. What makes things stricter needs no trust.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agent_tui.protocol.trust import Brought, BroughtKind
from agent_tui.settings.layers import SettingsFile, project_files
from agent_tui.settings.options import SettingSource
from agent_tui.settings.paths import Environment
from agent_tui.settings.plain import read_plain
from agent_tui.settings.rule_entries import rule_of
from agent_tui.settings.scripts import scripts_in
from agent_tui.settings.trusted import trusted_rules


@dataclass(slots=True)
class Listing:
    """What was found so far: the things, and the files that bring them, the scripts they run included."""

    items: list[Brought] = field(default_factory=list[Brought])
    files: dict[Path, None] = field(default_factory=dict[Path, None])

    def add(self, item: Brought, file: Path, scripts: Iterable[Path] = ()) -> None:
        """Take one thing."""
        self.items.append(item)
        self.files.update(dict.fromkeys((file, *scripts)))


def mark_of(kind: BroughtKind, said: Any, scripts: Iterable[Path] = ()) -> str:
    """Give the mark of one thing: of all that is said of it, and of what is in the scripts it names. Blocks on files."""
    digest = hashlib.sha256(json.dumps([kind, said], sort_keys=True).encode("utf-8", "replace"))
    for path in scripts:
        digest.update(f"\0{path}\0".encode("utf-8", "replace"))
        digest.update(_content(path))
    return digest.hexdigest()


def rule_mark(text: str) -> str:
    """Give the mark of an allow rule."""
    return mark_of("rule", text)


def hook_scripts(data: Any, project: Path) -> Iterator[Path]:
    """Give the project's own files that hooks run; ``data`` is what stands under ``hooks``. Blocks on files."""
    for _, scripts in _hooks(data, project):
        yield from scripts


def list_settings(
    listing: Listing, env: Environment, project: Path, sources: Collection[SettingSource]
) -> None:
    """List what the settings files bring. Blocks on files.

    Raises:
        SettingsError: a file can't be read.
    """
    own = trusted_rules(env, project)
    for file in project_files(env, project, sources):
        for item, scripts in _hooks(file.data.get("hooks"), project):
            listing.add(item, file.path, scripts)
        for item in (
            *_rules(file, own if file.source == "local" else frozenset()),
            *_listed("folder", file.folders),
            *_listed("mode", filter(None, [file.project_mode])),
            *_settings(file),
        ):
            listing.add(item, file.path)


def _rules(file: SettingsFile, own: Collection[str]) -> Iterator[Brought]:
    given = file.permissions.get("allow")
    entries = cast("list[Any]", given) if isinstance(given, list) else []
    texts = [text for text in map(rule_of, entries) if text is not None]
    for text in dict.fromkeys(texts):
        if text not in own:
            yield Brought("rule", text, "", rule_mark(text))


def _listed(kind: BroughtKind, names: Iterable[str]) -> Iterator[Brought]:
    return (Brought(kind, name, "", mark_of(kind, name)) for name in dict.fromkeys(names))


def _settings(file: SettingsFile) -> Iterator[Brought]:
    for key, value in file.project_settings.items():
        text = value if isinstance(value, str) else json.dumps(value)
        yield Brought("setting", key, text, mark_of("setting", [key, value]))


def _hooks(data: Any, project: Path) -> Iterator[tuple[Brought, tuple[Path, ...]]]:
    """Go through ``hooks`` as ``hooks.configured`` does; what that leaves out never runs."""
    if not isinstance(data, dict):
        return
    for event, groups in cast("dict[str, Any]", data).items():
        for group in cast("list[Any]", groups) if isinstance(groups, list) else ():
            given = cast("dict[str, Any]", group) if isinstance(group, dict) else {}
            handlers = given.get("hooks")
            for handler in cast("list[Any]", handlers) if isinstance(handlers, list) else ():
                if not isinstance(handler, dict):
                    continue
                hook = cast("dict[str, Any]", handler)
                scripts = scripts_in(_words(hook), project)
                said = [event, given.get("matcher"), hook]
                yield Brought("hook", event, _what(hook), mark_of("hook", said, scripts)), scripts


def _words(hook: dict[str, Any]) -> list[str]:
    args = hook.get("args")
    given = [hook.get("command"), *(cast("list[Any]", args) if isinstance(args, list) else ())]
    return [word for word in given if isinstance(word, str)]


def _what(hook: dict[str, Any]) -> str:
    if words := _words(hook):
        return " ".join(words)
    return json.dumps({key: value for key, value in hook.items() if key != "timeout"})


def _content(path: Path) -> bytes:
    try:
        return read_plain(path)
    except OSError as error:
        return f"unreadable {error.errno}".encode()
