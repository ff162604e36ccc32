"""A change of a file on its way: what was there, what is to be there, and how both are told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import DiffDisplay
from agent_tui.protocol.ports import FileBytes, Files, Seen
from agent_tui.tools.diffs import changes, diff_display, hunks, shown_hunks, structured_patch
from agent_tui.tools.paths import relative
from agent_tui.tools.text import NotTextError, TextFile, sendable

MAX_ORIGINAL = 256 * 1024
"""The structured output holds the text from before up to so many characters."""


class RefusedError(Exception):
    """The change must not be made; the text tells the model why and what to do."""


@dataclass(frozen=True, slots=True)
class Told:
    """A change as it is told: for people, in the documented shape, and the text from before.

    ``original`` is None where there was none, or where it is too long to be kept twice.
    """

    display: DiffDisplay
    patch: list[JsonObject]
    original: str | None


@dataclass(frozen=True, slots=True)
class FileChange:
    """``before`` and ``old`` are None where there is no file yet."""

    path: str
    before: FileBytes | None
    old: TextFile | None
    new: TextFile

    async def told(self, cwd: Path) -> Told:
        """Say what the change is. In a thread: comparing big texts takes its time."""
        return await to_thread.run_sync(self._compare, cwd)

    def _compare(self, cwd: Path) -> Told:
        path = relative(self.path, cwd)
        if self.old is None:
            return Told(diff_display(path, None, self.new.text), [], None)
        found = hunks(self.old.text, self.new.text)
        original = sendable(self.old.text) if len(self.old.text) <= MAX_ORIGINAL else None
        return Told(shown_hunks(path, found), structured_patch(found), original)

    async def make(self, files: Files) -> FileBytes:
        """Write it.

        Raises:
            PortError: it can't be written, or is no longer what it was.
        """
        replaces = None if self.before is None else self.before.digest
        return await files.write(self.path, self.new.encode(), replaces=replaces)


def decoded(path: str, file: FileBytes) -> TextFile:
    """Read the text of a file that is to be changed.

    Raises:
        RefusedError: it is no text.
    """
    try:
        return TextFile.decode(file.data)
    except NotTextError as error:
        raise RefusedError(f"{path} can't be edited as text: {error}.") from None


def changed_meanwhile(seen: Seen | None, now: FileBytes) -> str:
    """Say what of a file is not as the model last saw it; empty if all is, or it never saw it."""
    if seen is None or seen.digest == now.digest:
        return ""
    if seen.data is None:
        return "The file's bytes changed since it was last read."
    try:
        before, after = TextFile.decode(seen.data), TextFile.decode(now.data)
    except NotTextError:
        return "The file's bytes changed since it was last read."
    found = changes(before.lines, after.lines)
    if not found:
        return "Since it was last read, the file's line ends or encoding changed."
    places = ", ".join(_place(change.new_first, change.new_last) for change in found[:10])
    more = f" and {len(found) - 10} more places" if len(found) > 10 else ""
    return f"Since it was last read, the file also changed at {places}{more}."


def _place(first: int, last: int) -> str:
    if last <= first:
        return f"line {first + 1} (lines removed)"
    return f"line {first + 1}" if last == first + 1 else f"lines {first + 1}-{last}"
