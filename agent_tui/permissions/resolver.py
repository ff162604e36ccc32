"""What a decision must know of the file system: a small Protocol, and the real thing."""

from __future__ import annotations

import glob
import itertools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agent_tui.permissions.git_config import runs_in

MAX_MATCHES = 500
"""More files than this fit a glob: the answer is that it isn't known."""


class Resolver(Protocol):
    """Questions about paths. Paths are absolute; nothing here raises."""

    @property
    def home(self) -> str:
        """The person's home folder, absolute."""
        ...

    @property
    def guarded(self) -> tuple[str, ...]:
        """Folders of the program's own (settings, key): writes there are always asked."""
        ...

    @property
    def steering(self) -> tuple[str, ...]:
        """Files of the project that are run without a question (scripts of hooks): writes there are asked too."""
        ...

    @property
    def folds_case(self) -> bool:
        """Names that differ only in case are the same file."""
        ...

    def realpath(self, path: str) -> str:
        """Follow every link; the part that doesn't exist is kept as it is."""
        ...

    def exists(self, path: str) -> bool:
        """Tell whether there is something (a broken link counts)."""
        ...

    def is_dir(self, path: str) -> bool:
        """Tell whether it is a folder, links followed."""
        ...

    def matches(self, pattern: str) -> tuple[str, ...] | None:
        """Give the paths that a shell glob (absolute, escaped as ``glob`` wants) stands for; None: too many."""
        ...

    def git_runs(self, folder: str) -> str:
        """Say what git would run there by the repository's own configuration while it only looks; empty: nothing."""
        ...


@dataclass(frozen=True, slots=True)
class RealResolver:
    """The machine's own file system. Calls block for a moment: use it in a thread."""

    home: str
    guarded: tuple[str, ...] = ()
    folds_case: bool = os.uname().sysname == "Darwin"
    steering: tuple[str, ...] = ()

    def realpath(self, path: str) -> str:
        """Follow every link."""
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):
            return path

    def exists(self, path: str) -> bool:
        """Tell whether there is something."""
        try:
            return os.path.lexists(path)
        except (OSError, ValueError):
            return False

    def is_dir(self, path: str) -> bool:
        """Tell whether it is a folder."""
        try:
            return Path(path).is_dir()
        except (OSError, ValueError):
            return False

    def matches(self, pattern: str) -> tuple[str, ...] | None:
        """Expand a shell glob; dot files only where the pattern has the dot, as the shell does."""
        try:
            found = tuple(itertools.islice(glob.iglob(pattern), MAX_MATCHES + 1))  # noqa: PTH207 - strings, lazily
        except (OSError, ValueError):
            return None
        return None if len(found) > MAX_MATCHES else found

    def git_runs(self, folder: str) -> str:
        """Read the configuration of the repository around a folder."""
        try:
            return runs_in(Path(folder))
        except (OSError, ValueError, RecursionError) as error:
            return f"a configuration that can't be read: {error}"
