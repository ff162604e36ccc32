"""Written, then said: every message that matters becomes a line of the journal before anybody hears it.

A scribe is the one writer of a session: it appends an entry, folds it into the conversation, and only then is the
message emitted. Clock and ids come in with its ``Stamp``. ``record.Recorder`` knows what there is to write.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol

import anyio

from agent_tui.journal.entries import Entry, Header, Stamp
from agent_tui.journal.fold import Conversation
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import AssistantMessage, Message, SystemMessage

Emit = Callable[[Message], Awaitable[None]]

TELL_SECONDS = 2.0
"""How long a listener may be behind before an interrupt goes on without it."""

MOST_UUIDS = 64
"""How many prompts of one run messages name."""


class Sink(Protocol):
    """Where entries go; ``journal.file.Journal`` is one. Never raises: what can't be written is kept."""

    def append(self, *entries: Entry) -> None:
        """Write lines at once; they are visible to other readers when this returns."""
        ...

    async def sync(self) -> None:
        """Make what was written survive a power cut."""
        ...


class Scribe:
    """Writes and says; holds the conversation, which nobody else changes.

    Attributes:
        serving: uuids of the prompts that the run at hand answers, the one it began with first; named by its messages.
    """

    def __init__(self, sink: Sink, stamp: Stamp, conversation: Conversation, emit: Emit) -> None:
        self._sink = sink
        self._emit = emit
        self.stamp = stamp
        self.conversation = conversation
        self.serving: tuple[str, ...] = ()

    @property
    def session_id(self) -> str:
        """The session's id."""
        return self.stamp.session_id

    def serve(self, *uuids: str) -> None:
        """Answer these prompts from here on."""
        self.serving = uuids

    def serve_too(self, uuid: str) -> None:
        """Answer this prompt besides."""
        if uuid not in self.serving and len(self.serving) < MOST_UUIDS:
            self.serving = (*self.serving, uuid)

    def named(self, message: AssistantMessage) -> AssistantMessage:
        """Name the prompts that a message answers."""
        if not self.serving:
            return message
        return replace(message, user_message_uuid=self.serving[0], user_message_uuids=self.serving)

    def header(self, uuid: str | None = None) -> Header:
        """Make the header of the next line."""
        return self.stamp.header(self.conversation.head, uuid=uuid)

    def write(self, entry: Entry) -> None:
        """Append and fold an entry that is not said."""
        self._sink.append(entry)
        self.conversation = self.conversation.apply(entry)

    async def sync(self) -> None:
        """Make what was written durable; called before something is changed, and at a result."""
        await self._sink.sync()

    async def tell(self, message: Message) -> None:
        """Say what has been written; an interrupt in between does not part the two."""
        with anyio.move_on_after(TELL_SECONDS, shield=True):
            await self._emit(message)

    async def say(self, message: Message) -> None:
        """Say something that is not written (deltas, progress, state)."""
        await self._emit(message)

    async def system(self, subtype: str, **data: object) -> None:
        """Say a system message; it gets its uuid and session id here."""
        fields: JsonObject = {**data, "uuid": self.stamp.new_id(), "session_id": self.session_id}
        await self.tell(SystemMessage(subtype, fields))
