"""The shelf of deferred tools: what is on it, and what was taken down. The journal remembers the latter."""

from __future__ import annotations

from collections.abc import Callable

from agent_tui.journal.entries import ToolsTakenEntry
from agent_tui.loop.record import Recorder
from agent_tui.loop.toolbox import Toolbox
from agent_tui.protocol.ports import ShelvedTool, ToolShelf


class Shelf:
    """Implements ``ports.ToolShelf``.

    Args:
        record: the session's writer.
        toolbox: the tools there are.
        model: names the model that is asked now; one that can't search has every tool.
    """

    def __init__(self, record: Recorder, toolbox: Toolbox, model: Callable[[], str]) -> None:
        self._record = record
        self._toolbox = toolbox
        self._model = model

    def shelved(self) -> tuple[ShelvedTool, ...]:
        """Give all deferred tools by name, those taken down already too."""
        tools, taken = self._toolbox.tools, self._record.conversation.tools_taken
        return tuple(
            ShelvedTool(
                name, str(tools.by_name[name].schema().get("description", "")), name in taken
            )
            for name in sorted(self._toolbox.deferred(self._model()))
        )

    def take(self, names: tuple[str, ...]) -> None:
        """Have these tools' definitions in the next request and ever after."""
        deferred = self._toolbox.deferred(self._model())
        taken = self._record.conversation.tools_taken
        new = tuple(name for name in dict.fromkeys(names) if name in deferred and name not in taken)
        if new:
            self._record.write(ToolsTakenEntry(self._record.header(), new))


def take_unseen(shelf: ToolShelf | None, name: str) -> str | None:
    """Take a tool down that was called although its definition was never shown; give what to tell the model.

    None when the tool is no deferred one, or was taken before: then the call may run.
    """
    if shelf is None or not any(t.name == name and not t.taken for t in shelf.shelved()):
        return None
    shelf.take((name,))
    return (
        f"{name} was not run: its definition was not loaded yet, so its input was a guess. "
        f"Call ToolSearch with the query select:{name} to see it, then make the call again."
    )
