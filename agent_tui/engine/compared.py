"""One changed file as it was at some moment, beside what it is now."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from agent_tui.journal.file_changes import Touched
from agent_tui.journal.kept_files import KeptFiles
from agent_tui.machine.file_states import Looked, look
from agent_tui.protocol.display import DiffDisplay, Hunk
from agent_tui.protocol.file_states import FileState
from agent_tui.protocol.reviews import ChangedFile
from agent_tui.tools.diffs import CONTEXT, hunks, shown_hunks, stretches
from agent_tui.tools.paths import relative
from agent_tui.tools.text import NotTextError, TextFile, sendable

NOT_KEPT = "what it was is not kept"
BINARY = "not text"
LINE_ENDS = "line ends or encoding"
MODE = "mode {before:o} was {after:o}"


@dataclass(frozen=True)
class Compared:
    """A file that was changed since some moment; reading it blocks.

    Attributes:
        touch: what was changed.
        now: what stands there, with its bytes.
        before: the bytes from then; None where there was no file, or they are not kept.
        cwd: the folder that names are told from.
    """

    touch: Touched
    now: Looked
    before: bytes | None
    cwd: Path

    @classmethod
    def of(cls, touch: Touched, kept: KeptFiles, cwd: Path) -> Compared:
        """Look at a file."""
        state = touch.before
        return cls(touch, look(touch.path), kept.get(state.digest) if state.digest else None, cwd)

    @property
    def shown(self) -> str:
        """Its name for people."""
        return relative(self.touch.path, self.cwd)

    @property
    def same(self) -> bool:
        """Whether it is as it was. Folders count as nothing: they are neither kept nor removed."""
        then, now = self.touch.before, self.now.state
        if then.what == "absent" and now.what == "other":
            return True
        return then.holds_same(now) and (not self.touch.changed_mode or then.mode == now.mode)

    @property
    def is_kept(self) -> bool:
        """Whether it can be made what it was."""
        then = self.touch.before
        return then.what in ("absent", "link") or (then.what == "file" and self.before is not None)

    @property
    def foreign(self) -> str:
        """Why somebody else seems to have changed it, too; empty where only the agent did."""
        if self.touch.mixed:
            return "also changed by others in between"
        if self.touch.left_as(self.now.state):
            return ""
        if self.now.state.what == "absent":
            return "removed since"
        return "changed since"

    @property
    def seen(self) -> str:
        """Stands for what is there now."""
        return seen_of(self.now.state)

    @cached_property
    def texts(self) -> tuple[TextFile, TextFile] | None:
        """The text then and now, empty where there was or is no file; None where one of them is no text."""
        then = self.before if self.touch.before.what == "file" else b""
        now = self.now.data if self.now.state.what == "file" else b""
        if then is None or now is None or "link" in (self.touch.before.what, self.now.state.what):
            return None
        try:
            return TextFile.decode(then), TextFile.decode(now)
        except NotTextError:
            return None

    def hunks(self, context: int = CONTEXT) -> tuple[Hunk, ...]:
        """Give the difference from then to now."""
        if self.texts is None:
            return ()
        then, now = self.texts
        return hunks(then.text, now.text, context)

    def display(self, context: int = CONTEXT) -> DiffDisplay:
        """Show it."""
        return shown_hunks(sendable(self.shown), self.hunks(context))

    @property
    def row(self) -> ChangedFile:
        """Tell of it in a list."""
        found = shown_hunks("", self.hunks())
        then, now = self.touch.before.what, self.now.state.what
        return ChangedFile(
            self.touch.path,
            self.shown,
            "created" if then == "absent" else "removed" if now == "absent" else "changed",
            found.added,
            found.removed,
            self._note(bool(found.hunks)),
            bool(self.foreign),
            self.seen,
        )

    def _note(self, has_hunks: bool) -> str:
        then, now = self.touch.before, self.now.state
        if not self.is_kept:
            return NOT_KEPT
        if "link" in (then.what, now.what):
            return "a link"
        if self.texts is None:
            return self.now.why or BINARY
        if has_hunks or then.size == now.size == 0:
            return ""
        if not then.holds_same(now):
            return LINE_ENDS if "absent" not in (then.what, now.what) else "empty"
        return MODE.format(before=now.mode, after=then.mode)

    def without(self, hunk: int, context: int = CONTEXT) -> bytes | None:
        """Give the file's bytes with one hunk as it was then, everything else as it is; None where that can't be."""
        if self.texts is None:
            return None
        then, now = self.texts
        groups = stretches(then.text, now.text, context)
        if not 0 <= hunk < len(groups) or then.newline == "\r" or now.newline == "\r":
            return None
        old, new = _raw_lines(then), _raw_lines(now)
        for change in reversed(groups[hunk]):
            new[change.new_first : change.new_last] = old[change.old_first : change.old_last]
        return replace(now, raw="".join(new)).encode()


def _raw_lines(file: TextFile) -> list[str]:
    """Give the lines with their own ends."""
    return re.findall("[^\n]*\n|[^\n]+", file.raw)


def seen_of(state: FileState) -> str:
    """Name a state, so that another one is told from it."""
    return f"{state.what}:{state.digest or state.target}:{state.mode:o}"
