"""A sink whose lines are handed to a program's mirror once they are written here, a sub-agent's journal like the session's.

What the mirror does with them never holds up the session for long, and nothing it does is lost here.
"""

from __future__ import annotations

import json

import anyio

from agent_tui.engine.ahead import Ahead
from agent_tui.engine.chosen import Book, Chosen
from agent_tui.engine.extras import Mirror
from agent_tui.journal.codec import encode
from agent_tui.journal.entries import Entry, ResultEntry
from agent_tui.loop.scribe import Sink
from agent_tui.protocol.content import JsonObject

RESULT_SECONDS = 5.0
"""How long a result waits until the mirror has passed on the turn; what is slower goes on meanwhile."""

END_SECONDS = 10.0
"""How long a session's end waits for it."""


class Mirrored:
    """Writes to a journal, then tells the mirror, in the same order.

    Attributes:
        path: where the journal is, or would be.
    """

    def __init__(
        self, book: Book, mirror: Mirror, session_id: str, subpath: str | None = None
    ) -> None:
        self.path = book.path
        self._book = book
        self._mirror = mirror
        self._session_id = session_id
        self._subpath = subpath
        self._turn_over = False

    def append(self, *entries: Entry) -> None:
        """Write entries; the mirror gets them as a reader of the file would."""
        self._book.append(*entries)
        lines: tuple[JsonObject, ...] = tuple(json.loads(encode(entry)) for entry in entries)
        self._mirror.lines(self._subpath, self._session_id, lines)
        self._turn_over = self._turn_over or any(isinstance(one, ResultEntry) for one in entries)

    async def sync(self) -> None:
        """Make what was written survive a power cut; at the end of a turn it is passed on too."""
        await self._book.sync()
        if self._turn_over:
            self._turn_over = False
            with anyio.move_on_after(RESULT_SECONDS):
                await self._mirror.flush()

    def close(self) -> None:
        """Let go of the journal."""
        self._book.close()


def sink_of(chosen: Chosen, mirror: Mirror | None) -> Sink:
    """Give what a session's recorder writes to."""
    return Ahead(mirrored(chosen.journal, mirror, chosen.session_id), chosen.ahead)


def mirrored(
    book: Book, mirror: Mirror | None, session_id: str, subpath: str | None = None
) -> Book:
    """Give a journal whose lines reach the mirror too; the same one where there is no mirror."""
    return book if mirror is None else Mirrored(book, mirror, session_id, subpath)


def side_mirrored(
    book: Book, mirror: Mirror | None, session_id: str, agent_id: str, about: JsonObject
) -> Book:
    """Give a sub-agent's journal whose lines reach the mirror too.

    Args:
        book: the journal.
        mirror: the session's.
        session_id: the session's id.
        agent_id: the sub-agent's.
        about: the note beside the journal (``toolUseId``, ``parentAgentId`` …). The mirror gets it as a line.
    """
    subpath = f"subagents/agent-{agent_id}"
    if mirror is not None:
        mirror.lines(subpath, session_id, ({"type": "agent_metadata", **about},))
    return mirrored(book, mirror, session_id, subpath)


async def end(mirror: Mirror | None) -> None:
    """Pass on what is left, when the session is over."""
    if mirror is not None:
        with anyio.move_on_after(END_SECONDS):
            await mirror.flush()
