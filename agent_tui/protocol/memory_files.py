"""Which memory files there are: a front end's question, and its reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

MemoryScope: TypeAlias = Literal["managed", "user", "project", "local"]


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """Which memory files count in the open session, and which could be made? The reply is ``MemoryList``."""

    kind: Literal["memory_files"] = "memory_files"


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A memory file.

    Attributes:
        path: where it is, absolute.
        scope: whose instructions it holds.
        lines: how many lines the model is told of it; None: there is no such file yet.
        imported_by: the file that imports it, empty for a memory file itself.
    """

    path: str
    scope: MemoryScope
    lines: int | None = None
    imported_by: str = ""


@dataclass(frozen=True, slots=True)
class MemoryList:
    """Reply to ``MemoryFiles``: files that are read, in their order, then those that could be made.

    ``notes`` say of other files why they are not read.
    """

    rows: tuple[MemoryRow, ...] = ()
    notes: tuple[str, ...] = ()
