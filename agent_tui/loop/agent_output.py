"""What a sub-agent in the background has said and done so far, in a file that can be read at any time."""

from __future__ import annotations

import os
from pathlib import Path

from anyio import to_thread

from agent_tui.settings.private import OWNER_FILE, make_private_folder


class AgentOutput:
    """Adds to the file; a disk that says no is no reason for the sub-agent to fail.

    Args:
        path: where it is; it appears with the first line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    async def add(self, text: str) -> None:
        """Add a paragraph."""
        await to_thread.run_sync(self._add, text)

    def _add(self, text: str) -> None:
        try:
            make_private_folder(self.path.parent)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            handle = os.open(self.path, flags, OWNER_FILE)
            with os.fdopen(handle, "ab") as file:
                file.write(f"{text.rstrip()}\n".encode("utf-8", "backslashreplace"))
        except OSError:
            return
