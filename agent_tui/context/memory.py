"""Memory files: CLAUDE.md of the machine, the person and the folders from the root down to where we work.

All of them count, nearest last. ``@path`` imports are followed four hops. What a project's files import from outside
the project is not read without consent, and said: a cloned repository must not be able to send a key to the model. What
a rule forbids to read isn't imported either.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from agent_tui.context.imports import imports, looks_like_path, without_comments
from agent_tui.settings.options import SettingSource
from agent_tui.settings.paths import Environment, claude_root, managed_settings, root

MAX_BYTES = 4 * 1024 * 1024
MAX_HOPS = 4

Scope = Literal["managed", "user", "project", "local"]
Trouble = Literal[
    "missing", "outside", "forbidden", "too_large", "unreadable", "too_deep", "not_text"
]
Consent = Callable[[str], bool]
"""Tells of a real path whether it may be read."""

_TITLES: dict[Scope, str] = {
    "managed": "instructions of the organisation",
    "user": "the user's own instructions for all projects",
    "project": "project instructions, shared by all who work on it",
    "local": "the user's own instructions for this project",
}
_PREFACE = (
    "Instructions from memory files of the user and the project follow, the nearest to the working directory "
    "last. Keep to them wherever they apply; on a conflict the later one counts, and what the user says in this "
    "conversation counts most."
)


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file that was taken.

    ``imported_by`` names the file that imports it, empty for a memory file itself. ``outside``: a project's file that is
    not in the project, so it was read by consent.
    """

    path: str
    scope: Scope
    text: str
    imported_by: str = ""
    outside: bool = False


@dataclass(frozen=True, slots=True)
class MemoryNote:
    """Something that was not taken. A ``quiet`` one is for those who ask, not for everyone's screen."""

    path: str
    trouble: Trouble
    text: str

    @property
    def quiet(self) -> bool:
        """Whether it is of no consequence."""
        return self.trouble == "missing"


@dataclass(frozen=True, slots=True)
class MemoryText:
    """All memory: the text for the model (empty when there is none), whence it came, what was left out."""

    text: str
    files: tuple[MemoryFile, ...] = ()
    notes: tuple[MemoryNote, ...] = ()


def load(
    cwd: Path,
    env: Environment,
    sources: Collection[SettingSource] = ("user", "project", "local"),
    *,
    outside_allowed: Consent = lambda _path: False,
    may_read: Consent = lambda _path: True,
) -> MemoryText:
    """Read the memory files that count in ``cwd``. Blocks on files; never raises for what is in them.

    Args:
        cwd: the working folder.
        env: where the person's own files are.
        sources: whose files to read; the organisation's are always read.
        outside_allowed: tells which files outside the project the person agreed to have imported.
        may_read: tells which files the rules let be read.
    """
    here = Path(os.path.realpath(cwd))
    reader = _Reader(_project_root(here, env.home), env.home, outside_allowed, may_read)
    reader.take(managed_settings().parent / "CLAUDE.md", "managed")
    own = (claude_root(env) / "CLAUDE.md", root(env) / "CLAUDE.md")
    for path in own:
        if "user" in sources:
            reader.take(path, "user")
        else:
            reader.skip(path)
    for folder in (*reversed(here.parents), here):
        if "project" in sources:
            for path in _shared_files(folder):
                reader.take(path, "project")
        if "local" in sources:
            reader.take(folder / "CLAUDE.local.md", "local")
    return MemoryText(_joined(reader.files), tuple(reader.files), tuple(reader.notes))


def _joined(files: list[MemoryFile]) -> str:
    parts = [
        f"Contents of {one.path} ({_TITLES[one.scope]}"
        f"{', imported by ' + one.imported_by if one.imported_by else ''}):\n\n{one.text.strip()}"
        for one in files
        if one.text.strip()
    ]
    return "\n\n".join([_PREFACE, *parts]) if parts else ""


def _shared_files(folder: Path) -> Iterator[Path]:
    """Give a folder's shared files; AGENTS.md stands in where there is no CLAUDE.md."""
    usual = (folder / "CLAUDE.md", folder / ".claude" / "CLAUDE.md")
    yield from usual
    if not any(os.path.lexists(path) for path in usual):
        yield folder / "AGENTS.md"


def _project_root(here: Path, home: Path) -> Path:
    """The repository around ``here``, else ``here`` itself; a home kept in git is no project."""
    found = next((one for one in (here, *here.parents) if (one / ".git").exists()), here)
    return here if Path(os.path.realpath(home)).is_relative_to(found) else found


@dataclass(slots=True)
class _Reader:
    """Takes files and what they import, each once."""

    project: Path
    home: Path
    outside_allowed: Consent
    may_read: Consent
    files: list[MemoryFile] = field(default_factory=list[MemoryFile])
    notes: list[MemoryNote] = field(default_factory=list[MemoryNote])
    taken: set[Path] = field(default_factory=set[Path])

    def skip(self, path: Path) -> None:
        """Leave a file out, even where a later rule would find it."""
        self.taken.add(Path(os.path.realpath(path)))

    def take(self, path: Path, scope: Scope) -> None:
        """Take a memory file if it is there."""
        if not os.path.lexists(path):
            return
        real = Path(os.path.realpath(path))
        # A link in a cloned repository is no better than an import, and /tmp is everybody's.
        linked_away = scope in ("project", "local") and not real.is_relative_to(path.parent)
        outside = linked_away and not self._inside(real)
        if (outside and not self.outside_allowed(str(real))) or _of_a_stranger(path):
            self._note(real, "outside", f"{path} is not from this project; it was not read.")
            return
        self._read(real, scope, "", hops=0, outside=outside)

    def _read(
        self, real: Path, scope: Scope, imported_by: str, hops: int, *, outside: bool
    ) -> None:
        if real in self.taken:
            return
        self.taken.add(real)
        text = self._text(real)
        if text is None:
            return
        text = without_comments(text)
        self.files.append(MemoryFile(str(real), scope, text, imported_by, outside))
        for name in imports(text):
            self._follow(name, real, scope, hops + 1)

    def _follow(self, name: str, importer: Path, scope: Scope, hops: int) -> None:
        target = self.home / name[2:] if name.startswith("~/") else importer.parent / name
        real = Path(os.path.realpath(target))
        if real in self.taken:
            return
        outside = scope in ("project", "local") and not self._inside(real)
        if outside and not self.outside_allowed(str(real)):
            if looks_like_path(name):
                text = f"{importer} imports {name} from outside the project; it was not read."
                self._note(real, "outside", text)
            return
        if not _is_file(real):
            if looks_like_path(name):
                self._note(real, "missing", f"{importer} imports {name}, which is no file.")
        elif not self.may_read(str(real)):
            text = (
                f"{importer} imports {name}: a rule forbids to read it, or secrets are kept there."
            )
            self._note(real, "forbidden", text)
        elif hops > MAX_HOPS:
            text = f"{importer} imports {name} more than {MAX_HOPS} hops away; it was not read."
            self._note(real, "too_deep", text)
        else:
            self._read(real, scope, str(importer), hops, outside=outside)

    def _inside(self, real: Path) -> bool:
        return real.is_relative_to(self.project)

    def _text(self, real: Path) -> str | None:
        try:
            if not _is_file(real):
                self._note(real, "unreadable", f"{real} is no regular file; it was not read.")
                return None
            with real.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            self._note(real, "unreadable", f"{real} can't be read: {error.strerror}.")
            return None
        if len(data) > MAX_BYTES:
            self._note(real, "too_large", f"{real} is larger than 4 MiB; it was not read.")
            return None
        if b"\0" in data:
            self._note(real, "not_text", f"{real} is no text; it was not read.")
            return None
        return data.decode("utf-8-sig", "replace")

    def _note(self, path: Path, trouble: Trouble, text: str) -> None:
        note = MemoryNote(str(path), trouble, text)
        if note not in self.notes:
            self.notes.append(note)


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _of_a_stranger(path: Path) -> bool:
    """Whether anybody may put files into the folder and somebody else did."""
    try:
        folder, file = path.parent.stat(), path.lstat()
    except OSError:
        return False
    return bool(folder.st_mode & stat.S_IWOTH) and file.st_uid not in (0, os.geteuid())
