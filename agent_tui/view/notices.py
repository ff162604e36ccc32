"""Which system messages are worth a line of their own, and what that line says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_tui.protocol.content import JsonObject, TextBlock
from agent_tui.protocol.messages import Message, SystemMessage, UserMessage
from agent_tui.view.blocks import Behind, NoticeBlock

_LEVELS = ("info", "notice", "suggestion", "warning", "error")
_TOLD = re.compile(r"<(task-id|tool-use-id|status|summary)>(.*?)</\1>", re.DOTALL)


def notice_of(subtype: str, data: JsonObject, block_id: str) -> NoticeBlock | None:
    """Give the line for a system message; None when it is worth none."""
    match subtype:
        case "informational":
            level = str(data.get("level"))
            known = level if level in _LEVELS else "info"
            return NoticeBlock(block_id, known, str(data.get("content", "")))
        case "model_fallback" | "mirror_error":
            said = str(data.get("content") or data.get("error") or "")
            return NoticeBlock(block_id, "warning", said)
        case "notification":
            said = str(data.get("content") or data.get("text") or "")
            return NoticeBlock(block_id, "info", said)
        case "local_command_output":
            return NoticeBlock(block_id, "output", str(data.get("content", "")))
        case _:
            return None


def kept_back(message: Message) -> bool:
    """Tell whether it says that a hook kept a prompt of the person out of the conversation."""
    return (
        isinstance(message, SystemMessage)
        and message.data.get("prompt_submit_outcome") == "blocked"
    )


@dataclass(frozen=True, slots=True)
class WorkEnded:
    """Work in the background is over. ``call_id`` is the tool call that began it, empty when unknown."""

    task_id: str
    call_id: str
    how: Behind
    summary: str

    @classmethod
    def of(cls, data: JsonObject) -> WorkEnded:
        """Read a ``task_notification``."""
        return cls._read(
            {
                key: str(data.get(key) or "")
                for key in ("task_id", "tool_use_id", "status", "summary")
            }
        )

    @classmethod
    def told_to_model(cls, message: UserMessage) -> WorkEnded | None:
        """Read what the model was told of it: all that a journal keeps. None when it is no such message."""
        if (message.origin or {}).get("kind") != "task-notification":
            return None
        content = message.content
        if not isinstance(content, str):
            content = "\n".join(block.text for block in content if isinstance(block, TextBlock))
        found = {name.replace("-", "_"): said for name, said in _TOLD.findall(content)}
        return cls._read(found)

    @classmethod
    def _read(cls, found: dict[str, str]) -> WorkEnded:
        status = found.get("status")
        how: Behind = "completed"
        if status in ("failed", "stopped"):
            how = status
        summary = found.get("summary") or f"Work in the background {how}"
        return cls(found.get("task_id", ""), found.get("tool_use_id", ""), how, summary)

    def notice(self, block_id: str) -> NoticeBlock:
        """Give the line that says so."""
        return NoticeBlock(block_id, "warning" if self.how == "failed" else "info", self.summary)
