"""The memory files in a window's context, and telling hooks which they were."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from agent_tui.context.memory import MemoryFile, MemoryText
from agent_tui.engine.foundation import Foundation
from agent_tui.engine.hooking import SessionHooks
from agent_tui.journal.fold import Conversation
from agent_tui.protocol.content import JsonObject


class Instructions:
    """Reads them anew for each window.

    Args:
        base: where they are.
        hooks: the session's; nobody waits for what they do.
        conversation: gives the session's, to know why files are read.
    """

    def __init__(
        self, base: Foundation, hooks: SessionHooks, conversation: Callable[[], Conversation]
    ) -> None:
        self._base = base
        self._hooks = hooks
        self._conversation = conversation
        self._read = MemoryText("")

    def context(self, now: datetime) -> str:
        """Give the text a window begins with. Blocks on files."""
        self._read = self._base.memory()
        return self._base.context_of(now, self._read.text)

    def written(self) -> None:
        """Fire InstructionsLoaded for each file of the text that was given last."""
        reason = "compact" if self._conversation().compactions else "session_start"
        for file in self._read.files:
            why = "include" if file.imported_by else reason
            self._hooks.launch("InstructionsLoaded", _fields(file, why), match=why)


def _fields(file: MemoryFile, reason: str) -> JsonObject:
    parent = {"parent_file_path": file.imported_by} if file.imported_by else {}
    return {
        "file_path": file.path,
        "memory_type": file.scope.capitalize(),
        "load_reason": reason,
        **parent,
    }
