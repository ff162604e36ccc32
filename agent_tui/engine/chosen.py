"""The journal a session has got, and all that is known of it before anything is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from agent_tui.journal.entries import Entry, Origin
from agent_tui.journal.fold import Conversation
from agent_tui.journal.unsaved import remove_folder
from agent_tui.loop.scribe import Sink
from agent_tui.settings.options import Options

How: TypeAlias = Literal["startup", "resume", "fork"]
"""How a session came to be, in the words of the SessionStart hook's ``source``."""

OnState: TypeAlias = Callable[[str | None], None]
"""Told why a journal can't be written, None when it can."""


class Book(Sink, Protocol):
    """A journal, or what stands in for one."""

    path: Path
    """Where it is, or would be."""

    def close(self) -> None:
        """Let go of it."""
        ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """A session's journal, held for writing, and its fold.

    Attributes:
        damaged: lines of the file that could not be read.
        ahead: lines that are in the fold already, and are written when the first further line is (``ahead.py``).
        folder: the temporary folder of a session that is not to be saved; None for one that is.
    """

    journal: Book
    conversation: Conversation
    session_id: str
    how: How = "startup"
    damaged: int = 0
    ahead: tuple[Entry, ...] = ()
    folder: Path | None = None

    def clean_up(self) -> None:
        """Remove what was there for the time being only. Blocks on files."""
        if self.folder is not None:
            remove_folder(self.folder)


def origin_of(options: Options) -> Origin:
    """Say what opens a session, as its first line tells."""
    return "interactive" if options.interactive else options.origin
