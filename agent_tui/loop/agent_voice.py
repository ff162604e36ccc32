"""What is heard of a sub-agent: its messages name the call that began it, and only those that are to be heard go out.

By default these are its calls and their results; what it says and thinks as well where a program wants that. What
concerns its own loop only (its result, its retries, its compactions) stays in its journal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

from agent_tui.loop.scribe import Emit
from agent_tui.protocol.content import TextBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.display import (
    AgentDisplay,
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    SearchDisplay,
)
from agent_tui.protocol.messages import AssistantMessage, Message, SystemMessage, UserMessage

MOST_CHARS = 100
"""A call in a few words is no longer than this."""

Heard: TypeAlias = Callable[[str], Awaitable[None]]


class AgentVoice:
    """The ``Emit`` of a sub-agent's recorder.

    Args:
        emit: says to everybody who listens.
        call_id: the Agent call it works for.
        agent_id: who it is.
        forwards: whether its messages are heard at all; in the background they are not.
        texts: whether what it says is forwarded, not only its calls and results.
        on_call: told of each call by the name of its tool and in a few words, before it is heard.
        on_text: told of each text it says; what stands in for one when the API failed is none.
        on_wait: told why it has to wait.
    """

    def __init__(
        self,
        emit: Emit,
        call_id: str,
        agent_id: str,
        *,
        forwards: bool,
        texts: bool,
        on_call: Callable[[str, str], Awaitable[None]],
        on_text: Heard,
        on_wait: Heard,
    ) -> None:
        self._emit = emit
        self._call_id = call_id
        self._agent_id = agent_id
        self._forwards = forwards
        self._texts = texts
        self._on_call = on_call
        self._on_text = on_text
        self._on_wait = on_wait

    async def __call__(self, message: Message) -> None:
        """Take what the sub-agent's loop says."""
        match message:
            case AssistantMessage():
                await self._assistant(message)
            case UserMessage(content=content):
                if self._texts or _is_result(content):
                    await self._forward(replace(message, tool_use_result=None, display=None))
            case SystemMessage("permission_denied", data):
                more = {"agent_id": self._agent_id, "parent_tool_use_id": self._call_id}
                await self._emit(SystemMessage("permission_denied", {**data, **more}))
            case SystemMessage("api_retry", data):
                await self._on_wait(str(data.get("reason") or data.get("error") or "waiting"))
            case _:
                pass

    async def _assistant(self, message: AssistantMessage) -> None:
        calls = [block for block in message.content if isinstance(block, ToolUseBlock)]
        for block in calls:
            await self._on_call(block.name, in_a_few_words(block.name, message.display))
        for block in message.content:
            if isinstance(block, TextBlock) and message.error is None:
                await self._on_text(block.text)
        if calls or self._texts:
            await self._forward(message)

    async def _forward(self, message: AssistantMessage | UserMessage) -> None:
        if self._forwards:
            await self._emit(replace(message, parent_tool_use_id=self._call_id))


def in_a_few_words(name: str, display: Display | None) -> str:
    """Say what a call does on one short line."""
    match display:
        case CommandDisplay(command=what) | SearchDisplay(pattern=what):
            pass
        case DiffDisplay(path=what) | FileDisplay(path=what) | AgentDisplay(description=what):
            pass
        case _:
            what = ""
    line = " ".join(f"{name} {what}".split())
    return line if len(line) <= MOST_CHARS else f"{line[: MOST_CHARS - 1]}…"


def _is_result(content: object) -> bool:
    return isinstance(content, tuple) and any(
        isinstance(block, ToolResultBlock)
        for block in content  # pyright: ignore[reportUnknownVariableType]
    )
