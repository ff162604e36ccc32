"""Which lines of a journal count, where the conversation went back to an earlier line and on from there.

A journal only grows: going back is a line of its own (``RewoundEntry``), and what stands between the line it names and
itself is left behind; going back to a line that was left behind brings back what led to it. All readers of a file get
the lines that count from here, so no fold knows of it. Two things of what was left behind stay: what it cost, and lines
about the session as a whole (its title, its tag, changes of files).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent_tui.journal.codec import from_line
from agent_tui.journal.entries import UserEntry
from agent_tui.protocol.content import JsonObject

MARK = b'"rewound"'
"""Bytes that a journal without them has not gone back; no line of ours has the word otherwise than escaped."""

CHAINED = frozenset({"user", "assistant", "system", "attachment", "progress"})
"""Kinds of lines that are part of the conversation; others tell of the session."""

_CLOSING = frozenset({"response", "result"})


def left_behind(lines: Iterable[JsonObject | None]) -> frozenset[int]:
    """Give the places of the lines that do not count, from 0; a damaged line is None and has a place."""
    places: dict[str, int] = {}
    gaps: list[tuple[int, int]] = []
    for place, line in enumerate(lines):
        if line is None:
            continue
        if line.get("type") == "system" and line.get("subtype") == "rewound":
            start = places.get(str(line.get("to")))
            if start is not None:
                # what counted when that line was written counts again, also if it had been left behind since
                gaps = [gap for gap in gaps if gap[1] <= start]
                gaps.append((start, place))
        if isinstance(line.get("uuid"), str):
            places[line["uuid"]] = place
    return frozenset(place for start, end in gaps for place in range(start + 1, end))


def remains(line: JsonObject) -> JsonObject | None:
    """Give what a line that was left behind still counts for; None for nothing."""
    if line.get("type") not in CHAINED:
        return line
    if line.get("subtype") == "response" and line.get("purpose") == "main":
        return {**line, "purpose": "other"}
    return line if line.get("subtype") == "response" else None


def counting(lines: Sequence[JsonObject]) -> list[JsonObject]:
    """Give the lines that count."""
    gone = left_behind(lines)
    if not gone:
        return list(lines)
    left = (remains(line) if place in gone else line for place, line in enumerate(lines))
    return [line for line in left if line is not None]


def cut(
    lines: Sequence[JsonObject], uuid: str
) -> tuple[Sequence[JsonObject], Sequence[JsonObject]] | None:
    """Part lines behind the one with this uuid; None when there is none.

    What closes the response or the run that the line belongs to stays with it: it tells what it cost.
    """
    for place, line in enumerate(lines):
        if line.get("uuid") == uuid:
            end = place + 1
            while end < len(lines) and lines[end].get("subtype") in _CLOSING:
                end += 1
            return lines[:end], lines[end:]
    return None


def begins_at(dropped: Sequence[JsonObject], prompt: str) -> bool:
    """Whether all that was said in ``dropped`` is the turn of this prompt, named by its line's or its own uuid."""
    begun = False
    for line in dropped:
        kind = line.get("type")
        if kind not in ("user", "assistant") or line.get("isMeta"):
            continue
        if prompt in (line.get("uuid"), line.get("promptUuid")):
            begun = True
        elif not begun or _is_another_prompt(line):
            return False
    return begun


def _is_another_prompt(line: JsonObject) -> bool:
    """Whether a line is a prompt that joined the run, or what somebody else said in it."""
    entry = from_line(line)
    return isinstance(entry, UserEntry) and (entry.is_prompt or entry.origin is not None)
