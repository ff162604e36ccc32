"""What slash commands give the person, as those who listen take it.

At a screen it is a notice. A program reads answers, so it gets one, of no model, and the text again in the command's
result. Written it is the same, whoever listened.
"""

from __future__ import annotations

from agent_tui.journal.entries import SYNTHETIC_MODEL
from agent_tui.loop.record import Recorder
from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.messages import AssistantMessage, SystemMessage

NOTICE = "local_command_output"


class CommandOutput:
    """Says it.

    Args:
        record: the session's writer.
        screen: a person at a screen listens.
    """

    def __init__(self, record: Recorder, *, screen: bool) -> None:
        self._record = record
        self._screen = screen
        self._texts: list[str] | None = None

    def begin(self) -> None:
        """Begin a command: what is said from here on is its."""
        self._texts = []

    def end(self) -> str:
        """End it; give all it said."""
        texts, self._texts = self._texts or [], None
        return "\n".join(texts)

    async def __call__(self, text: str, level: str = "info") -> None:
        """Write and say a text; outside a command it is a notice for everybody."""
        notice = self._record.noting(NOTICE, text, level)
        if self._texts is None or self._screen:
            await self._record.tell(notice)
        else:
            await self._record.tell(self._record.named(self._answer(text, notice)))
        if self._texts is not None:
            self._texts.append(text)

    def _answer(self, text: str, notice: SystemMessage) -> AssistantMessage:
        record = self._record
        return AssistantMessage(
            (TextBlock(text),),
            model=SYNTHETIC_MODEL,
            message_id=record.stamp.new_id(),
            stop_reason="stop_sequence",
            session_id=record.session_id,
            uuid=notice.data["uuid"],
        )
