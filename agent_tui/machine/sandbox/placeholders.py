"""Protected names that are not there yet: kept from being made where that is possible, else taken away again.

A folder that programs act upon merely because it is there (``.git``, ``.vscode``) is made by us for the time of the
command, empty, and covered. An empty folder troubles nobody: git doesn't see it, and it goes when the last command that
needs it has ended. Files can't be treated so, since an empty ``.npmrc`` or ``.mcp.json`` means something to everybody who
works in the folder meanwhile. They are looked for afterwards and moved out. Beside a command in the background others
work, so what appears then is only told of.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections import Counter
from pathlib import Path
from typing import Final

from agent_tui.settings.private import make_private_folder

GUARDED_FOLDERS: Final = frozenset(
    {
        ".git",
        ".claude",
        ".agent-tui",
        ".vscode",
        ".idea",
        ".devcontainer",
        ".husky",
        ".cargo",
        "hooks",
    }
)
"""Folders that are made for the time of a command. The others change how programs work when they are there."""


class Placeholders:
    """The empty folders made for commands that run now. One for a session: commands run beside one another.

    ``lock`` is held while a command's places are looked up and taken: what is seen as being there must stay.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._held: Counter[str] = Counter()

    def take(self, absent: tuple[str, ...]) -> tuple[str, ...]:
        """Make those that are not there; give all that are ours now, for the command to have covered.

        What can't be made can't be made by a command either.
        """
        with self.lock:
            for path in absent:
                if path.rpartition("/")[2] in GUARDED_FOLDERS:
                    with contextlib.suppress(OSError):
                        Path(path).mkdir(mode=0o755)
                        self._held[path] = 0
            taken = tuple(path for path in self._held if os.path.lexists(path))
            self._held.update(taken)
        return taken

    def leave(self, taken: tuple[str, ...]) -> None:
        """Remove those that no command needs any more. Somebody else's files in one keep it."""
        with self.lock:
            self._held.subtract(taken)
            for path in taken:
                if self._held[path] <= 0:
                    del self._held[path]
                    with contextlib.suppress(OSError):
                        Path(path).rmdir()


def appeared(absent: tuple[str, ...]) -> tuple[str, ...]:
    """Give those of the names that are there by now; our own empty folders are not counted."""
    return tuple(
        path
        for path in absent
        if os.path.lexists(path) and path.rpartition("/")[2] not in GUARDED_FOLDERS
    )


def move_out(paths: tuple[str, ...], kept: str) -> tuple[str, ...]:
    """Move what a command made under protected names into a folder; give a sentence for each."""
    said: list[str] = []
    for path in paths:
        target = _free(Path(kept), Path(path).name)
        try:
            make_private_folder(target.parent)
            shutil.move(path, target)
        except OSError as error:
            said.append(
                f"The command made {path}, a protected place. It could not be moved away: {error}."
            )
        else:
            said.append(
                f"The command made {path}, which the sandbox protects: it was moved to {target}. "
                "If it is wanted there, it has to be made outside the sandbox."
            )
    return tuple(said)


def _free(folder: Path, name: str) -> Path:
    number = 1
    while os.path.lexists(target := folder / f"sandbox-{number}-{name.lstrip('.')}"):
        number += 1
    return target
