"""What stands at a path, told without its bytes, and a change from one such state to another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

ChangedBy: TypeAlias = Literal["tool", "command", "review", "rewind"]
"""Who changed a file: a tool that writes files, a shell command, the person in a review, or by going back."""


@dataclass(frozen=True, slots=True)
class FileState:
    """One path at one moment.

    Attributes:
        what: nothing, a regular file, a symbolic link, or something else (a folder, a pipe, what can't be read).
        digest: sha256 of a file's bytes in hex; empty where they were not read.
        mode: a file's permission bits.
        size: a file's length in bytes.
        target: where a link points.
    """

    what: Literal["absent", "file", "link", "other"] = "absent"
    digest: str = ""
    mode: int = 0
    size: int = 0
    target: str = ""

    @property
    def known(self) -> bool:
        """Whether this says enough to tell it from another state."""
        return self.what != "other" and (self.what != "file" or bool(self.digest))

    def holds_same(self, other: FileState | None) -> bool:
        """Tell whether the same stands there, whatever its mode; what isn't known is never the same."""
        if other is None or not (self.known and other.known):
            return False
        return replace(self, mode=0) == replace(other, mode=0)


ABSENT = FileState()
