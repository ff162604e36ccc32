"""Says when the session can't be saved, and when it can again."""

from __future__ import annotations

import anyio

from agent_tui.loop.record import Recorder


class SavingNotice:
    """Told by the journal whenever its state changes; says it from a task of its own."""

    def __init__(self) -> None:
        self._changed = anyio.Event()
        self._error: str | None = None

    def changed(self, error: str | None) -> None:
        """Take the journal's state: why it can't write, None when it can."""
        self._error = error
        self._changed.set()

    @property
    def unsaved(self) -> bool:
        """Whether what is said can't be saved now."""
        return self._error is not None

    async def serve(self, record: Recorder) -> None:
        """Say every change as it comes."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            if self._error is None:
                await record.system("saving", state="ok")
            else:
                await record.system("saving", state="failed", error=self._error)
