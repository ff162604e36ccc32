"""Walking a folder as ripgrep does: names in order, ignore files obeyed, globs before them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_tui.machine.globs import Rule, parse_rule, parse_rules, verdict
from agent_tui.settings.plain import read_plain

IGNORE_FILES = (".rgignore", ".ignore", ".gitignore")
"""The strongest first: what one of them says of a path is not asked of the next."""

_GIT_FILE = ".gitignore"
_GIT_EXCLUDE = ".git/info/exclude"


@dataclass(frozen=True, slots=True)
class _Level:
    """A folder's ignore files. ``at`` is what to put before a path below the start to make it relative to here."""

    rules: dict[str, tuple[Rule, ...]]
    has_git: bool
    prefix: str
    depth: int


class Walk:
    """The files below the current folder, as ``./a/b``, that a search looks at.

    Args:
        globs: which files (the last that matches decides); ones with ``!`` leave out. They beat ignore files.
        names: globs of which the file's name must match one, if there are any.
        hidden: take names that begin with a dot.
        no_ignore: pass over ignore files.
    """

    def __init__(
        self,
        globs: tuple[str, ...],
        names: tuple[str, ...] = (),
        *,
        hidden: bool,
        no_ignore: bool,
    ) -> None:
        self._globs = _rules(globs)
        self._wants = any(not rule.keeps for rule in self._globs)
        self._names = _rules(names)
        self._hidden = hidden
        self._no_ignore = no_ignore

    def files(self) -> Iterator[str]:
        """Give the files, folder by folder, by name."""
        yield from self._below(".", [] if self._no_ignore else _levels_above())

    def _below(self, folder: str, levels: list[_Level]) -> Iterator[str]:
        if not self._no_ignore:
            levels = [*levels, _level(folder, "", folder.count("/"))]
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: os.fsencode(entry.name))
        except OSError:
            return
        for entry in entries:
            path = f"{folder}/{entry.name}"
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not entry.is_file(follow_symlinks=False):
                continue
            if not self._takes(path, levels, is_folder=is_folder):
                continue
            if is_folder:
                yield from self._below(path, levels)
            else:
                yield path

    def _takes(self, path: str, levels: list[_Level], *, is_folder: bool) -> bool:
        relative = path[2:]
        said = verdict(self._globs, relative, is_folder=is_folder)
        if said is False:
            return False
        if said is None and self._wants and not is_folder:
            return False
        if said is None:
            ignored = None if self._no_ignore else _ignored(levels, relative, is_folder=is_folder)
            if ignored:
                return False
            if ignored is None and not self._hidden and path.rsplit("/", 1)[-1].startswith("."):
                return False
        if self._names and not is_folder:
            name = path.rsplit("/", 1)[-1]
            return any(rule.matches(name, is_folder=False) for rule in self._names)
        return True


def _rules(globs: tuple[str, ...]) -> tuple[Rule, ...]:
    found = [parse_rule(glob) for glob in globs]
    return tuple(rule for rule in found if rule is not None)


def _ignored(levels: list[_Level], path: str, *, is_folder: bool) -> bool | None:
    for kind in (*IGNORE_FILES, _GIT_EXCLUDE):
        for level in reversed(levels):
            rules = level.rules.get(kind, ())
            here = level.prefix + "/".join(path.split("/")[level.depth :])
            said = verdict(rules, here, is_folder=is_folder) if rules else None
            if said is not None:
                return said
            if level.has_git and kind in (_GIT_FILE, _GIT_EXCLUDE):
                break  # git's own files above the repository say nothing about it
    return None


def _level(folder: str, prefix: str, depth: int) -> _Level:
    rules: dict[str, tuple[Rule, ...]] = {}
    for name in (*IGNORE_FILES, _GIT_EXCLUDE):
        try:
            text = read_plain(Path(folder) / name).decode("utf-8", "surrogateescape")
        except OSError:
            continue
        rules[name] = parse_rules(text)
    return _Level(rules, (Path(folder) / ".git").exists(), prefix, depth)


def _levels_above() -> list[_Level]:
    """Look at the folders above the current one, the farthest first."""
    here = Path.cwd()
    return [
        _level(str(above), f"{here.relative_to(above)}/", 0) for above in reversed(here.parents)
    ]
