"""What holds at this moment in a session, as messages: for one who comes late and has the past from its file."""

from __future__ import annotations

from typing import cast

from agent_tui.link.merge import is_delta, join_deltas
from agent_tui.protocol.content import JsonObject, ToolResultBlock
from agent_tui.protocol.messages import (
    ConversationResetMessage,
    Message,
    QueueChanged,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    SystemMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.view.status import Status

_WORKS = "background_tasks_changed"
_OF_WORK = ("task_started", "task_progress")
GATHER = 256
"""So many pieces of a block are kept apart before they are joined."""


class Present:
    """A fold of all that is said; ``note`` each message in order, ``messages`` say it again in short.

    Kept are: status, queue, open questions, the tools, what works in the background, calls that run, and the block that
    is being streamed. What is finished is in the session's file.
    """

    def __init__(self) -> None:
        self._status = Status()
        self._init: SystemMessage | None = None
        self._works: SystemMessage | None = None
        self._of_works: dict[tuple[str, str], SystemMessage] = {}
        self._running: dict[str, ToolProgress] = {}
        self._stream: list[
            Message
        ] = []  # the response's beginning, the block's, what of it has come
        self._coming: list[Message] = []  # what has come since

    @property
    def status(self) -> StatusChanged | None:
        """The session's own facts; None before it has said any."""
        return self._status.session

    @property
    def title(self) -> str:
        """The session's title, empty when it has none."""
        return self._status.title

    def note(self, message: Message) -> None:
        """Take the next message."""
        self._status = self._status.apply(message)
        match message:
            case StreamEvent():
                if message.parent_tool_use_id is None:
                    self._note_event(message)
            case ToolProgress():
                self._running[message.tool_use_id] = message
            case UserMessage(content=tuple() as content):
                for block in content:
                    if isinstance(block, ToolResultBlock):
                        self._running.pop(block.tool_use_id, None)
            case SystemMessage():
                self._note_system(message)
            case ResultMessage() | ConversationResetMessage():
                self._begin()
                self._running = {}
            case _:
                pass

    def messages(self) -> tuple[Message, ...]:
        """Say what holds now, in an order in which it could have been said."""
        status = self._status
        out: list[Message] = [m for m in (self._init, status.session, self._works) if m is not None]
        out += self._of_works.values()
        self._gather()
        out += self._stream
        out += self._running.values()
        out += status.requests
        if status.queue:
            out.append(QueueChanged(status.queue))
        return tuple(out)

    def _note_event(self, message: StreamEvent) -> None:
        """Keep the beginning of the response and the block that is open; a finished one is said as a message."""
        match message.event.get("type"):
            case "message_start":
                self._begin(message)
            case "content_block_start":
                self._begin(*self._stream[:1], message)
            case "content_block_stop":
                self._begin(*self._stream[:1])
            case "message_stop":
                self._begin()
            case _ if is_delta(message):
                self._coming.append(message)
                if len(self._coming) >= GATHER:
                    self._gather()
            case _:
                pass

    def _begin(self, *stream: Message) -> None:
        self._stream, self._coming = list(stream), []

    def _gather(self) -> None:
        """Join what has come since; seldom, for the text so far is copied with it."""
        coming, self._coming = join_deltas(self._coming), []
        self._stream[2:] = join_deltas([*self._stream[2:], *coming])

    def _note_system(self, message: SystemMessage) -> None:
        match message.subtype:
            case "init":
                self._init = message
            case "retracted":
                self._begin()
            case "task_notification":
                task = str(message.data.get("task_id"))
                self._of_works = {k: m for k, m in self._of_works.items() if k[0] != task}
            case subtype if subtype == _WORKS:
                self._works = message
                listed = _ids(message.data)
                self._of_works = {k: m for k, m in self._of_works.items() if k[0] in listed}
            case subtype if subtype in _OF_WORK:
                self._of_works[(str(message.data.get("task_id")), subtype)] = message
            case _:
                pass


def _ids(data: JsonObject) -> set[str]:
    rows = cast("list[JsonObject]", data.get("tasks") or [])
    return {str(row.get("task_id")) for row in rows}
