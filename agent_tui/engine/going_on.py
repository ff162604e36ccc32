"""Going on with a session that is there: in its own journal, or in a copy; from its end, or from an earlier line.

Nothing is written yet. What a copy consists of, and that the conversation went back, are lines that wait for the
first one that is said: a session that was only looked at stays as it was, and a copy that was never used isn't there.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agent_tui import __version__
from agent_tui.engine.chosen import Book, Chosen, OnState
from agent_tui.engine.titles import given_title
from agent_tui.journal.branch import branch
from agent_tui.journal.codec import from_line
from agent_tui.journal.entries import (
    Entry,
    Origin,
    RewoundEntry,
    Stamp,
    TitleEntry,
    UnknownEntry,
    iso,
)
from agent_tui.journal.file import Journal, Reading
from agent_tui.journal.fold import Conversation, fold
from agent_tui.journal.rewind import begins_at, cut, remains
from agent_tui.journal.unsaved import UnsavedJournal
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SessionError
from agent_tui.settings.options import SessionOptions


@dataclass(frozen=True, slots=True)
class Source:
    """A session that is to go on.

    Attributes:
        path: its journal.
        cwd: where it goes on.
        options: what was asked for.
        folder: where what is not to be saved goes; None for a session that is saved.
    """

    path: Path
    cwd: Path
    options: SessionOptions
    folder: Path | None = None


def resumed(source: Source, on_state: OnState) -> Chosen:
    """Take a session's own journal. Blocks on files.

    Raises:
        SessionError: another process holds it, or it can't go on from the line that was named.
    """
    path = source.path
    book = _book(source, path) or Journal.open(path, on_state=on_state)
    try:
        reading = Reading(path)
        conversation, ahead = _state(source, reading)
    except SessionError:
        book.close()
        raise
    return Chosen(
        book, conversation, path.stem, "resume", reading.damaged, ahead, folder=source.folder
    )


def forked(source: Source, on_state: OnState, origin: Origin | None) -> Chosen:
    """Begin a copy beside the original, which stays as it is and may be in use. Blocks on files.

    Raises:
        SessionError: the id is taken, or the copy can't end at the line that was named.
    """
    options = source.options
    session_id = options.session_id or str(uuid.uuid4())
    path = source.path.with_name(f"{session_id}.jsonl")
    book = _book(source, path) or Journal.create(path, on_state=on_state)
    reading = Reading(source.path)
    lines, _ = _parted(source, list(reading.lines()))
    copy = list(
        branch(
            lines,
            parent=source.path.stem,
            session_id=session_id,
            new_id=_new_id,
            timestamp=iso(datetime.now(UTC)),
            origin=origin,
        )
    )
    conversation = fold(map(from_line, copy))
    ahead = tuple(map(UnknownEntry, copy))
    title = given_title(options.title or "")
    if not title and conversation.custom_title:  # a name stays one session's
        title = f"{conversation.custom_title} (fork)"
    conversation, named = _titled(conversation, _stamp(source, session_id), title)
    return Chosen(
        book, conversation, session_id, "fork", reading.damaged, ahead + named, source.folder
    )


def _book(source: Source, path: Path) -> Book | None:
    """Give what stands in for a journal where nothing is to be saved."""
    return None if source.folder is None else UnsavedJournal(source.folder / path.name)


def _state(source: Source, reading: Reading) -> tuple[Conversation, tuple[Entry, ...]]:
    """Give what the session comes to, and the lines that say so where its file does not yet."""
    stamp = _stamp(source, source.path.stem)
    title = given_title(source.options.title or "")
    if not source.options.resume_at:
        return _titled(fold(reading), stamp, title)
    kept, dropped = _parted(source, list(reading.lines()))
    left = [rest for line in dropped if (rest := remains(line)) is not None]
    conversation = fold(map(from_line, [*kept, *left]))
    ahead: tuple[Entry, ...] = ()
    if dropped:
        to = str(kept[-1]["uuid"])
        rewound = RewoundEntry(stamp.header(to), to)
        conversation, ahead = conversation.apply(rewound), (rewound,)
    conversation, named = _titled(conversation, stamp, title)
    return conversation, ahead + named


def _parted(
    source: Source, lines: Sequence[JsonObject]
) -> tuple[Sequence[JsonObject], Sequence[JsonObject]]:
    """Part the lines that are to be kept from the others, as far as a line was named."""
    at, turn = source.options.resume_at, source.options.drops_turn
    if not at:
        return lines, ()
    parts = cut(lines, at)
    if parts is None:
        raise SessionError(
            f"Session {source.path.stem} has no line {at} to go on from; "
            "name the uuid of one of its messages."
        )
    if turn and not begins_at(parts[1], turn):
        raise SessionError(
            f"Resume rejected by --resume-drops-turn: what follows {at} in session "
            f"{source.path.stem} is not the turn of prompt {turn} alone. "
            "Look at what came since, or resume without it."
        )
    return parts


def _titled(
    conversation: Conversation, stamp: Stamp, title: str
) -> tuple[Conversation, tuple[Entry, ...]]:
    if not title or title == conversation.custom_title:
        return conversation, ()
    entry = TitleEntry(stamp.header(conversation.head), title)
    return conversation.apply(entry), (entry,)


def _stamp(source: Source, session_id: str) -> Stamp:
    return Stamp(session_id, str(source.cwd), __version__, lambda: datetime.now(UTC), _new_id)


def _new_id() -> str:
    return str(uuid.uuid4())
