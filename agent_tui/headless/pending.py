"""Which prompts of a program still wait for their end, and what is to be said back of them.

A prompt has ended when a result names it, or when it was said and a result has come since: it had joined that run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import Message, ResultMessage, UserMessage
from agent_tui.protocol.records import from_record


@dataclass(slots=True)
class Pending:
    """Prompts by uuid. ``replay``: each is said back when it is taken."""

    replay: bool = False
    _sent: set[str] = field(default_factory=set[str])
    _waiting: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    _said: set[str] = field(default_factory=set[str])

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, uuid: str, record: JsonObject) -> bool:
        """Note a prompt that is sent; False for one that was sent before, and must not be again."""
        if uuid in self._sent:
            return False
        self._sent.add(uuid)
        self._waiting[uuid] = record
        return True

    def see(self, message: Message) -> tuple[Message, ...]:
        """Note a message; give what a program is to hear in its place."""
        match message:
            case UserMessage(uuid=str(uuid)) if uuid in self._waiting:
                self._said.add(uuid)
                return (replace(message, replay=True),) if self.replay else ()
            case ResultMessage():
                ended = {
                    message.user_message_uuid,
                    *(message.user_message_uuids or ()),
                } | self._said
                back = [self._back(uuid, message) for uuid in self._waiting if uuid in ended]
                for uuid in ended:
                    self._waiting.pop(str(uuid), None)
                self._said.clear()
                return (*(one for one in back if one is not None), message)
            case _:
                return (message,)

    def _back(self, uuid: str, result: ResultMessage) -> Message | None:
        """Give a prompt that was never said (a slash command, one that a hook kept out), to be said back."""
        if not self.replay or uuid in self._said:
            return None
        record = {**self._waiting[uuid], "uuid": uuid, "session_id": result.session_id}
        message = from_record({**record, "type": "user"})
        return replace(message, replay=True) if isinstance(message, UserMessage) else None
