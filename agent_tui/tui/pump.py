"""Takes what the session says and folds it: into the transcript for the conversation, into the status for the rest.

It always drains; drawing is what may be skipped. While a page of old messages is on its way, what belongs into the
conversation waits, so that it stands behind them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Protocol

from agent_tui.link.base import EngineLost, EngineUp, Incoming, Link, OpenFailed
from agent_tui.protocol.looking import Inside
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import Message, SystemMessage
from agent_tui.protocol.queries import MessagePage, Page
from agent_tui.protocol.records import from_record
from agent_tui.view.blocks import Change, Cleared
from agent_tui.view.status import Status
from agent_tui.view.transcript import Transcript

PAGE = 200
"""Messages asked for at once."""


class Listener(Protocol):
    """Who shows it."""

    def conversation_changed(self, changes: tuple[Change, ...]) -> None:
        """Draw the changes, in order."""
        ...

    def status_changed(self, before: Status, after: Status, message: Message) -> None:
        """Draw what differs."""
        ...

    def engine_up(self, *, restarted: bool) -> None:
        """The engine takes ops."""
        ...

    def engine_lost(self, lost: EngineLost) -> None:
        """The engine is gone."""
        ...

    def rewound(self) -> None:
        """The conversation went back: ``load_past`` builds it anew."""
        ...

    def open_failed(self, failed: OpenFailed) -> None:
        """There is no session."""
        ...


class Pump:
    """One session's messages, until its link closes.

    ``has_past``: the session may have messages from before; its last page is asked for when the engine is up.
    ``masker`` hides secrets in the conversation.

    Attributes:
        goes_on: the engine is the one that the past is of, so what it has in the background still runs.
    """

    goes_on = False

    def __init__(
        self, link: Link, listener: Listener, *, has_past: bool, masker: Masker | None = None
    ) -> None:
        self._masker = masker or Masker()
        self.transcript = Transcript(self._masker)
        self.status = Status()
        self._link = link
        self._listener = listener
        self._held: list[Message] | None = [] if has_past else None
        self._first: str | None = None
        self._more = False
        self._asking_older: asyncio.Event | None = None

    async def run(self) -> None:
        """Take everything; ends with the link."""
        async for incoming in self._link.messages():
            self.take(incoming)

    def take(self, incoming: Incoming) -> None:
        """Take one thing the link gives."""
        match incoming:
            case EngineUp(restarted):
                if restarted and self._held is None:
                    self._held = []
                self._listener.engine_up(restarted=restarted)
            case EngineLost(restarting=restarting):
                if not restarting:
                    self._let_go()
                self._listener.engine_lost(incoming)
            case OpenFailed():
                self._listener.open_failed(incoming)
            case _:
                self._message(incoming)

    @property
    def wants_page(self) -> bool:
        """Whether ``load_past`` is to be called: what is said meanwhile is held back."""
        return self._held is not None

    async def load_past(self) -> None:
        """Ask for the last page and build the conversation anew from it."""
        reply = await self._link.ask(Page(count=PAGE))
        self.transcript = Transcript(self._masker)
        changes: list[Change] = [Cleared()]
        if isinstance(reply, MessagePage):
            for message in messages_of(reply):
                changes += self.transcript.apply(message)
            self._note_edge(reply)
        if not self.goes_on:
            changes += self.transcript.left_alone()
        self._listener.conversation_changed(tuple(changes))
        self._let_go()

    @property
    def has_older(self) -> bool:
        """Whether there are messages older than those that are here."""
        return self._more and self._first is not None

    @property
    def first(self) -> str | None:
        """The uuid of the oldest message that is here, as far as it is known."""
        return self._first

    async def load_older(self) -> None:
        """Ask for the page before the oldest message held, if there is one; wait for it when it is on its way."""
        if self._asking_older is not None:
            await self._asking_older.wait()
            return
        if not self._more or self._first is None:
            return
        came = self._asking_older = asyncio.Event()
        try:
            reply = await self._link.ask(Page(before=self._first, count=PAGE))
        finally:
            self._asking_older = None
            came.set()
        if isinstance(reply, MessagePage):
            changes = self.transcript.prepend(messages_of(reply))
            self._note_edge(reply)
            self._listener.conversation_changed(changes)

    async def load_inside(self, call_id: str) -> None:
        """Ask what the sub-agent of a call said and did, and show it in its card."""
        reply = await self._link.ask(Inside(call_id))
        if isinstance(reply, MessagePage) and reply.records:
            changes = self.transcript.put_inside(call_id, messages_of(reply))
            self._listener.conversation_changed(changes)

    def say(self, text: str, *, level: str = "info") -> None:
        """Put a line of our own into the conversation."""
        self._message(SystemMessage("informational", {"content": text, "level": level}))

    def _message(self, message: Message) -> None:
        before = self.status
        self.status = before.apply(message)
        if isinstance(message, SystemMessage) and message.subtype == "rewound":
            self._held = self._held or []
            self._listener.rewound()
        elif self._held is not None:
            self._held.append(message)
        else:
            changes = self.transcript.apply(message)
            if changes:
                self._listener.conversation_changed(changes)
        self._listener.status_changed(before, self.status, message)

    def _let_go(self) -> None:
        """Show what was held back; from now on nothing is."""
        held, self._held = self._held or [], None
        changes = [change for message in held for change in self.transcript.apply(message)]
        if changes:
            self._listener.conversation_changed(tuple(changes))

    def _note_edge(self, page: MessagePage) -> None:
        self._more = page.more
        for record in page.records:
            uuid = record.get("uuid")
            if isinstance(uuid, str):
                self._first = uuid
                return


def messages_of(page: MessagePage) -> Iterable[Message]:
    """Read a page's records; what this version can't read is skipped."""
    for record in page.records:
        try:
            message = from_record(record)
        except (ValueError, KeyError):
            continue
        if message is not None:
            yield message
