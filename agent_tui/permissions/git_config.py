"""What git would run of its own accord in a repository: read from its configuration as text, git itself is never asked.

Only the repository's own files count; what the person set for all their repositories is theirs. Only programs count
that a command which merely looks can start: a credential helper or an ssh command belongs to the network, an alias
can't stand for a command that git has.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agent_tui.permissions.git_index import nested_repositories
from agent_tui.settings.plain import read_plain

MAX_INCLUDES: Final = 50
MAX_NESTED: Final = 200
"""Repositories inside one another that are looked at; with more it can't be told."""

_SWITCH: Final = re.compile(r"(?i)\s*(?:true|false|yes|no|on|off|\d+|)\s*")
_PLAIN_PAGERS: Final = frozenset({"cat", "less"})
_RUN: Final = re.compile(
    r"core\.(?:fsmonitor|alternaterefscommand)|diff\.(?:external|(?:.*\.)?(?:command|textconv))"
    r"|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|gpg\.(?:.*\.)?program"
    r"|alias\.(?:whatchanged|pack-redundant)",
    re.DOTALL,
)
"""Settings whose value is a program. The two aliases may stand for commands that git gives up."""
_PAGER: Final = re.compile(r"core\.pager|pager\..*", re.DOTALL)
_FETCHES: Final = re.compile(r"remote\..*\.promisor|extensions\.partialclone", re.DOTALL)
"""Missing objects are fetched when they are looked at."""
_INDEX_HOOK: Final = "post-index-change"
"""The one hook that a look can start: it refreshes the index."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A line of a configuration file: ``section.subsection.name``, all but the subsection in lower case, and its value."""

    key: str
    value: str


class BadConfigError(ValueError):
    """A file is no configuration that git would read."""


def runs_in(folder: Path) -> str:
    """Say what git would run, or reach, in the repository around a folder; empty for nothing. Blocks on files.

    A configuration that can't be understood counts as one that runs something.
    """
    found = repository_of(folder)
    return "" if found is None else _runs(found, {found.git_dir})


@dataclass(frozen=True, slots=True)
class Repository:
    """Where a repository's parts are: the folder of its files (None: it is bare), its own and its shared git folder."""

    work_tree: Path | None
    git_dir: Path
    common: Path


def repository_of(folder: Path) -> Repository | None:
    """Find the repository that git would take in a folder."""
    for one in (folder, *folder.parents):
        found = _repository_at(one)
        if found is not None:
            return found
    return None


def settings_of(repository: Repository) -> list[Setting]:
    """Read all of a repository's own settings, with what they include.

    Raises:
        BadConfigError: a file is malformed.
        OSError: a file can't be read.
    """
    found: list[Setting] = []
    for path in dict.fromkeys(
        (
            repository.common / "config",
            repository.common / "config.worktree",
            repository.git_dir / "config.worktree",
        )
    ):
        found += _read(path, [])
    return found


def origin_of(folder: Path) -> str:
    """Say where a repository was cloned from, without scheme, user and password; empty when unknown."""
    found = repository_of(folder)
    if found is None:
        return ""
    try:
        settings = settings_of(found)
    except (OSError, BadConfigError):
        return ""
    urls = {s.key: s.value for s in settings if s.key.startswith("remote.") and s.key.endswith(".url")}  # fmt: skip
    url = urls.get("remote.origin.url") or next(iter(urls.values()), "")
    named = re.sub(r"^[a-z+]+://", "", url)
    named = re.sub(r"^[^/@]*@", "", named)
    return re.sub(r"(?:\.git)?/*$", "", re.sub(r"^([^/:]+):(?!\d+/)", r"\1/", named))


def parse(text: str) -> list[Setting]:
    """Read the text of a configuration file as git does.

    Raises:
        BadConfigError: git would refuse it.
    """
    return list(_Parser(text.removeprefix("\ufeff").replace("\r\n", "\n")).settings())


# What runs ------------------------------------------------------------------------------------------------------------


def _runs(repository: Repository, seen: set[Path]) -> str:
    try:
        settings = settings_of(repository)
        hooks = repository.common / "hooks"
        for setting in settings:
            if (why := _named(setting, repository)) != "":
                return why
            if setting.key == "core.hookspath":
                hooks = _resolved(setting.value, repository.work_tree or repository.git_dir)
        if (hooks / _INDEX_HOOK).exists():
            return f"the hook {_INDEX_HOOK}"
        nested = nested_repositories(repository.git_dir / "index")
    except BadConfigError as error:
        return f"a configuration that can't be understood: {error}"
    except OSError as error:
        return f"a configuration that can't be read: {error.strerror or error}"
    except ValueError as error:
        return f"an index that can't be understood: {error}"
    for name in nested:
        inner = (
            None if repository.work_tree is None else _repository_at(repository.work_tree / name)
        )
        if inner is None or inner.git_dir in seen:
            continue
        seen.add(inner.git_dir)
        if len(seen) > MAX_NESTED:
            return "too many repositories inside one another"
        if (why := _runs(inner, seen)) != "":
            return f"{why} (in {name})"
    return ""


def _named(setting: Setting, repository: Repository) -> str:
    """Say what one setting makes git do while it looks."""
    key, value = setting.key, setting.value
    if _RUN.fullmatch(key) and not _SWITCH.fullmatch(value):
        return key
    if _PAGER.fullmatch(key) and not _SWITCH.fullmatch(value) and value not in _PLAIN_PAGERS:
        return key
    if _FETCHES.fullmatch(key) and not re.fullmatch(r"(?i)\s*(?:false|no|off|0)\s*", value):
        return f"{key}, so what is missing is fetched"
    if key == "core.worktree":
        real = os.path.realpath(_resolved(value, repository.git_dir))
        if repository.work_tree is None or real != os.path.realpath(repository.work_tree):
            return f"{key}, which is another folder"
    return ""


def _resolved(value: str, base: Path) -> Path:
    return base / Path(value).expanduser() if value.startswith("~/") else base / value


# Where it stands ------------------------------------------------------------------------------------------------------


def _repository_at(folder: Path) -> Repository | None:
    dot_git = folder / ".git"
    if dot_git.is_dir():
        return Repository(folder, dot_git, _common(dot_git))
    if dot_git.is_file():
        try:
            text = read_plain(dot_git).decode("utf-8", "replace").strip()
        except OSError:
            return None
        if text.startswith("gitdir:"):
            git_dir = folder / text.removeprefix("gitdir:").strip()
            return Repository(folder, git_dir, _common(git_dir))
        return None
    if (folder / "HEAD").exists() and (folder / "objects").is_dir() and (folder / "refs").is_dir():
        return Repository(None, folder, _common(folder))
    return None


def _common(git_dir: Path) -> Path:
    """Give the folder that the worktrees of a repository share."""
    try:
        named = read_plain(git_dir / "commondir").decode("utf-8", "replace").strip()
    except OSError:
        return git_dir
    return git_dir / named


def _read(path: Path, seen: list[Path]) -> list[Setting]:
    """Read a file and what it includes; one that isn't there says nothing."""
    if path in seen:
        return []
    if len(seen) >= MAX_INCLUDES:
        raise BadConfigError("too many included files")
    seen.append(path)
    try:
        text = read_plain(path).decode("utf-8", "surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return []
    found: list[Setting] = []
    for setting in parse(text):
        found.append(setting)
        if setting.key == "include.path" or re.fullmatch(
            r"includeif\..*\.path", setting.key, re.DOTALL
        ):
            found += _read(_resolved(setting.value, path.parent), seen)
    return found


_ESCAPED: Final = re.compile(r"\\(.)")
_HEADER: Final = re.compile(r'\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]')
_NAME: Final = re.compile(r"[A-Za-z0-9-]+")


def _second(found: re.Match[str]) -> str:
    return found[1]


class _Parser:
    """Goes through a file character by character."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._section = ""

    def settings(self) -> Iterator[Setting]:
        while (char := self._skip()) != "":
            if char == "[":
                self._header()
            elif char.isascii() and char.isalpha():
                if not self._section:
                    raise BadConfigError("a setting outside every section")
                yield self._setting()
            else:
                raise BadConfigError(f"{char!r} where a setting should begin")

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self) -> str:
        """Go over blanks, empty lines and comments; give what stands there, empty at the end."""
        while True:
            char = self._peek()
            if char in ("#", ";"):
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            elif char and char.isspace():
                self._at += 1
            else:
                return char

    def _header(self) -> None:
        found = _HEADER.match(self._text, self._at)
        if found is None:
            raise BadConfigError("a malformed section")
        self._at = found.end()
        name, sub = found[1].lower(), found[2]
        self._section = name if sub is None else f"{name}.{_ESCAPED.sub(_second, sub)}"

    def _setting(self) -> Setting:
        found = _NAME.match(self._text, self._at)
        assert found is not None
        self._at = found.end()
        while self._peek() in (" ", "\t"):
            self._at += 1
        key = f"{self._section}.{found[0].lower()}"
        if self._peek() == "=":
            self._at += 1
            return Setting(key, self._value())
        if self._peek() not in ("", "\n", "#", ";"):
            raise BadConfigError(f"{key} is malformed")
        return Setting(key, "true")

    def _value(self) -> str:
        out: list[str] = []
        blanks: list[str] = []
        quoted = False
        while True:
            char = self._peek()
            self._at += 1
            if char in ("", "\n"):
                if quoted:
                    raise BadConfigError("a quote that does not end")
                return "".join(out)
            if not quoted and char in ("#", ";"):
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
                continue
            if not quoted and char.isspace():
                blanks += [char] if out else []
                continue
            out += blanks
            blanks = []
            if char == '"':
                quoted = not quoted
            elif char == "\\":
                out.append(self._escaped())
            else:
                out.append(char)

    def _escaped(self) -> str:
        char = self._peek()
        self._at += 1
        known = {"\n": "", "n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}
        if char not in known:
            raise BadConfigError("an unknown escape")
        return known[char]
