"""What was changed of files: its line in a journal, and what the lines since some moment come to for each file."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace

from agent_tui.journal.entries import FileChangedEntry, Header
from agent_tui.protocol.codec import from_json, to_json
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.file_states import FileState

FILE_CHANGE = "file-change"
"""The type of such lines. They are no part of the chain, so other readers pass them over."""


def change_fields(entry: FileChangedEntry) -> JsonObject:
    """Give the fields of a line; a name that is no UTF-8 goes as its bytes, too."""
    line: JsonObject = {"path": entry.path}
    raw = os.fsencode(entry.path)
    if raw.decode("utf-8", "replace") != entry.path:
        line["pathBytes"] = base64.b64encode(raw).decode("ascii")
    line |= {"before": to_json(entry.before), "by": entry.by}
    optional: JsonObject = {
        "after": to_json(entry.after),
        "kept": entry.kept,
        "why": entry.why,
        "promptUuid": entry.prompt_uuid,
        "turn": entry.turn,
        "group": entry.group,
    }
    return line | {key: value for key, value in optional.items() if value or key == "after"}


def read_change(header: Header, raw: JsonObject) -> FileChangedEntry:
    """Read a line.

    Raises:
        KeyError, TypeError, ValueError: it is none of these lines.
    """
    name, by, turn = raw.get("pathBytes"), raw.get("by"), raw.get("turn")
    path = os.fsdecode(base64.b64decode(name)) if isinstance(name, str) else str(raw["path"])
    after = raw.get("after")
    return FileChangedEntry(
        header,
        path,
        from_json(FileState, raw["before"]),
        None if after is None else from_json(FileState, after),
        raw.get("kept") is True,
        str(raw.get("why") or ""),
        by if by in ("command", "review", "rewind") else "tool",
        str(raw.get("promptUuid") or ""),
        turn if isinstance(turn, int) else 0,
        str(raw.get("group") or ""),
    )


@dataclass(frozen=True, slots=True)
class Touched:
    """A file that was changed since some moment.

    Attributes:
        first, last: the first and the last change since.
        mixed: between two of them somebody else changed it, too.
        count: how many changes.
    """

    first: FileChangedEntry
    last: FileChangedEntry
    mixed: bool = False
    count: int = 1

    @property
    def path(self) -> str:
        """Where it is."""
        return self.first.path

    @property
    def before(self) -> FileState:
        """What stood there at that moment."""
        return self.first.before

    @property
    def changed_mode(self) -> bool:
        """Whether the mode was changed, too, of a file that is still one."""
        before, after = self.first.before, self.last.after
        return after is not None and before.what == after.what and before.mode != after.mode

    def left_as(self, now: FileState) -> bool:
        """Tell whether ``now`` is what the last change left: what it made, or, if it was never made, what it found."""
        return now.holds_same(self.last.after) or now.holds_same(self.last.before)


def touched(changes: Iterable[FileChangedEntry]) -> dict[str, Touched]:
    """Give the files of some changes by path, in the order they were first changed."""
    found: dict[str, Touched] = {}
    for change in changes:
        known = found.get(change.path)
        if known is None:
            found[change.path] = Touched(change, change)
            continue
        foreign = not known.left_as(change.before)
        found[change.path] = replace(
            known, last=change, mixed=known.mixed or foreign, count=known.count + 1
        )
    return found
