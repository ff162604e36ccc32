"""The moments a session can go back to, in order, and between them what was changed of files, and by which turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from agent_tui.journal.entries import (
    AssistantEntry,
    Entry,
    FileChangedEntry,
    RewoundEntry,
    UserEntry,
)
from agent_tui.journal.lines import said_text
from agent_tui.protocol.display import DiffDisplay


@dataclass(frozen=True, slots=True)
class Point:
    """A moment: just before a prompt, or just before somebody went back.

    Attributes:
        uuid: of the prompt's line, or of the going back.
        kind: which of the two.
        text: the prompt.
        timestamp: ISO 8601, UTC.
        to: the line the conversation ended with then; empty where the conversation did not move.
        at: how many changes of files there were before.
    """

    uuid: str
    kind: Literal["prompt", "rewind"]
    text: str
    timestamp: str
    to: str
    at: int


@dataclass(frozen=True, slots=True)
class Edit:
    """What one call told of a file it changed: its name as shown, the change, and when it was."""

    display: DiffDisplay
    turn: int
    timestamp: str
    at: int


@dataclass(slots=True)
class Points:
    """What a journal's lines come to; oldest first."""

    points: list[Point] = field(default_factory=list[Point])
    changes: list[FileChangedEntry] = field(default_factory=list[FileChangedEntry])
    edits: list[Edit] = field(default_factory=list[Edit])

    def find(self, uuid: str) -> Point | None:
        """Give the moment with this name; a prompt is also known by the uuid it was sent with."""
        return next((point for point in self.points if point.uuid == uuid), None)

    @property
    def last_prompt(self) -> Point | None:
        """The newest prompt."""
        return next((p for p in reversed(self.points) if p.kind == "prompt"), None)

    def since(self, point: Point | None) -> list[FileChangedEntry]:
        """Give the changes since a moment; None: all."""
        return self.changes[point.at if point else 0 :]


def points(entries: Iterable[Entry]) -> Points:
    """Read the lines that count of a journal."""
    found = Points()
    turn, response = 0, ""
    for entry in entries:
        match entry:
            case UserEntry() if entry.is_prompt and _of_person(entry):
                turn = turn if entry.steers else 0
                text = said_text(entry.blocks)
                header = entry.header
                to = header.parent_uuid or ""
                at = len(found.changes)
                found.points.append(Point(header.uuid, "prompt", text, header.timestamp, to, at))
            case UserEntry(display=DiffDisplay() as display):
                stamp = entry.header.timestamp
                found.edits.append(Edit(display, turn, stamp, len(found.changes)))
            case AssistantEntry() if entry.message_id != response or not response:
                turn, response = turn + 1, entry.message_id
            case FileChangedEntry():
                if entry.group and found.find(entry.group) is None:
                    found.points.append(_back(entry.group, entry.header.timestamp, "", found))
                found.changes.append(entry)
            case RewoundEntry() if entry.left:
                _went_back(found, entry)
            case _:
                pass
    return found


def _went_back(found: Points, entry: RewoundEntry) -> None:
    known = found.find(entry.header.uuid)
    if known is None:
        found.points.append(_back(entry.header.uuid, entry.header.timestamp, entry.left, found))
    else:
        found.points[found.points.index(known)] = replace(known, to=entry.left)


def _back(uuid: str, timestamp: str, left: str, found: Points) -> Point:
    return Point(uuid, "rewind", "", timestamp, left, len(found.changes))


def _of_person(entry: UserEntry) -> bool:
    return entry.origin is None or entry.origin.get("kind") == "human"
