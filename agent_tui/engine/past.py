"""What a session can be reviewed and gone back by: its journal so far, and what is kept of files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agent_tui.engine.compared import Compared
from agent_tui.engine.controls import Held
from agent_tui.journal.codec import from_line, to_line
from agent_tui.journal.entries import Entry, RewoundEntry
from agent_tui.journal.file import Journal, Reading, all_lines
from agent_tui.journal.file_changes import touched
from agent_tui.journal.fold import Conversation, fold
from agent_tui.journal.points import Point, Points, points
from agent_tui.journal.rewind import counting
from agent_tui.journal.unsaved import UnsavedJournal
from agent_tui.loop.file_history import FileHistory
from agent_tui.loop.record import Recorder
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment


@dataclass(frozen=True, slots=True)
class Past:
    """One session's. Its methods block on files.

    ``history`` is None where what files were is not kept.
    """

    held: Held
    record: Recorder
    history: FileHistory | None
    cwd: Path

    def entries(self) -> Iterable[Entry]:
        """Give the lines that count of the journal."""
        journal = self.held.chosen.journal
        if isinstance(journal, UnsavedJournal):
            return map(from_line, counting([to_line(entry) for entry in journal.stored()]))
        return Reading(self.held.path) if self.held.path.exists() else ()

    @property
    def unsaved(self) -> bool:
        """Whether lines wait that could not be written."""
        journal = self.held.chosen.journal
        return isinstance(journal, Journal) and journal.unsaved is not None

    def refolded(self, back: RewoundEntry) -> Conversation:
        """Give what the journal comes to with this line, its last one.

        Raises:
            JournalError: the journal can't be read.
        """
        journal = self.held.chosen.journal
        if isinstance(journal, UnsavedJournal):
            lines = [to_line(entry) for entry in journal.stored()]
        else:
            lines = list(all_lines(self.held.path))
        if all(line.get("uuid") != back.header.uuid for line in lines):  # the disk is full by now
            lines.append(to_line(back))
        return fold(map(from_line, counting(lines)))

    def points(self) -> Points:
        """Read the moments it can go back to.

        Raises:
            JournalError: the journal can't be read.
        """
        return points(self.entries())

    def compared(self, found: Points, since: Point | None) -> list[Compared]:
        """Look at the files that were changed since a moment (None: the beginning), by path."""
        if self.history is None:
            return []
        kept = self.history.kept
        files = sorted(touched(found.since(since)).values(), key=lambda file: file.path)
        return [Compared.of(file, kept, self.cwd) for file in files]


def keeps_files(options: Options, env: Environment) -> bool:
    """Tell whether what files were is to be kept: for a person always, for a program where it asks for it."""
    if env.get("CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING").lower() in ("1", "true", "yes", "on"):
        return False
    asked = env.get("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING").lower() in ("1", "true", "yes")
    return options.interactive or options.keep_files or asked
