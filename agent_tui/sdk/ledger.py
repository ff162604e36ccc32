"""Which prompts have been sent and which of them a run has taken to its end."""

from __future__ import annotations

from agent_tui.protocol.messages import Message, QueueChanged, ResultMessage


class Ledger:
    """Follows prompts by what the session says: sent, waiting in its queue, taken by a run, settled by a result."""

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._queued: set[str] = set()
        self._taken: set[str] = set()
        self.sent: set[str] = set()
        self.last: ResultMessage | None = None

    @property
    def settled(self) -> bool:
        """Whether every prompt sent so far has its result."""
        return not self._open

    def send(self, uuid: str) -> None:
        """Note a prompt that is being sent."""
        self.sent.add(uuid)
        self._open.add(uuid)

    def hear(self, message: Message) -> None:
        """Follow what is said. A prompt that left the queue belongs to the next result, whether named there or not."""
        if isinstance(message, QueueChanged):
            queued = {item.uuid for item in message.items}
            self._taken |= self._queued - queued
            self._queued = queued
        elif isinstance(message, ResultMessage):
            self.last = message
            named = {message.user_message_uuid, *(message.user_message_uuids or ())}
            self._open -= self._taken | named
            self._taken.clear()
