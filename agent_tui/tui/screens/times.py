"""For how long things run in the background, by the screen's own clock; and what the tasks screen shows of a session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent_tui.protocol.display import TaskListDisplay
from agent_tui.tui.pump import Pump
from agent_tui.view.blocks import Block, ToolBlock
from agent_tui.view.works import Works

LIST_TOOLS = frozenset({"TaskCreate", "TaskUpdate", "TaskList"})
"""Calls whose display is the whole list."""


@dataclass(frozen=True, slots=True)
class Tasks:
    """The task list, what is in the background, and for how long (milliseconds, by id)."""

    todo: TaskListDisplay | None
    works: Works
    elapsed_ms: dict[str, int]


class Times:
    """Notes when work was first, and last, heard of. ``now`` is a monotonic clock in seconds."""

    def __init__(self, pump: Pump, now: Callable[[], float]) -> None:
        self._pump = pump
        self._now = now
        self._begun: dict[str, float] = {}
        self._ended: dict[str, float] = {}

    def note(self, works: Works) -> None:
        """Take what is in the background now."""
        for work in works:
            self._begun.setdefault(work.id, self._now())
            if work.over:
                self._ended.setdefault(work.id, self._now())

    def tasks(self) -> Tasks:
        """Give what there is to do, and what is in the background."""
        works = self._pump.status.works
        elapsed = {
            work.id: round((self._ended.get(work.id, self._now()) - self._begun[work.id]) * 1000)
            for work in works
            if work.id in self._begun
        }
        return Tasks(newest_list(self._pump.transcript.blocks), works, elapsed)


def newest_list(blocks: tuple[Block, ...]) -> TaskListDisplay | None:
    """Give the task list as the last call shows it that has it whole; None when no call does."""
    for block in reversed(blocks):
        if (
            isinstance(block, ToolBlock)
            and block.name in LIST_TOOLS
            and block.state == "done"
            and isinstance(block.display, TaskListDisplay)
        ):
            return block.display
    return None
