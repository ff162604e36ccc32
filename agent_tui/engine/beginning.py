"""What is written before a prompt: a new journal's first lines, a window's context, the day when it has changed.

The context is written once and sent as the same bytes ever after, so its day grows old: in a session that is resumed
the next morning, or goes on over midnight. Then the day is told anew behind what was said, which costs no cache.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

import anyio.to_thread

from agent_tui.context.request import reminder
from agent_tui.journal.fold import Conversation
from agent_tui.journal.lines import said_text
from agent_tui.loop.record import Recorder

REMINDER = "<system-reminder>"
DAY = re.compile(r"^Today's date: (\d{4}-\d\d-\d\d)$", re.MULTILINE)


class Beginning:
    """Called before each prompt is written.

    Args:
        record: the session's writer.
        first_lines: writes what a new journal begins with.
        context: gives the text a window begins with, as of a time; blocks on files.
        now: the local time.
        standing: tells what the model is to know while it holds (``standing.Standing.tell``).
        written: told that a context has been written.
    """

    def __init__(
        self,
        record: Recorder,
        first_lines: Callable[[], None],
        context: Callable[[datetime], str],
        now: Callable[[], datetime],
        standing: Callable[[], None] = lambda: None,
        written: Callable[[], None] = lambda: None,
    ) -> None:
        self._record = record
        self._first_lines = first_lines
        self._context = context
        self._now = now
        self._standing = standing
        self._written = written

    async def __call__(self) -> None:
        """Write what is missing."""
        record, now = self._record, self._now()
        if record.conversation.head is None:
            self._first_lines()
        if not record.conversation.has_context:
            await self.renew()
        elif day_told(record.conversation) != now.date().isoformat():
            text = f"A new day has begun.\nToday's date: {now.date().isoformat()}"
            record.reminder(reminder(text))
        self._standing()

    async def renew(self) -> None:
        """Put the context into a window that has none: a new one, or one that was cut in the middle of a run.

        Called before each request; so what stands is told in the middle of a run too.
        """
        if not self._record.conversation.has_context:
            text = await anyio.to_thread.run_sync(self._context, self._now())
            self._record.context(text)
            self._written()
        self._standing()


def day_told(conversation: Conversation) -> str | None:
    """Give the day (ISO 8601) that the model was told last, None if it was not."""
    told: str | None = None
    for line in conversation.lines:
        if line.role == "user":
            text = said_text(line.blocks)
            found = DAY.search(text) if text.startswith(REMINDER) else None
            told = found[1] if found else told
    return told
