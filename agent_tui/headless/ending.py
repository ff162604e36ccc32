"""What came of a run without a screen, as an exit code, and what still goes on in its session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from agent_tui.protocol.messages import (
    Message,
    QueueChanged,
    ResultMessage,
    StatusChanged,
    SystemMessage,
)

FINISHED = ("completed", "failed")
"""How a task ends by itself; the model is then told, in a run of its own if none goes."""


@dataclass(slots=True)
class Outcome:
    """What came of it. ``signal`` is the number of the one that ended it."""

    result: ResultMessage | None = None
    signal: int | None = None

    def code(self, *, lost: bool, needed: bool = True) -> int:
        """Give the exit code; ``lost``: output could not be written, ``needed``: there must be a result."""
        if self.signal is not None:
            return 128 + self.signal
        if lost:
            return 1
        if self.result is None:
            return 1 if needed else 0
        return 1 if self.result.is_error else 0


@dataclass(slots=True)
class Work:
    """What still goes on in a session, as far as its messages tell.

    Attributes:
        busy: whether a run goes.
        asking: whether a person or a program is asked.
    """

    busy: Callable[[], bool]
    asking: bool = False
    _agents: int = 0
    _queued: int = 0
    _owed: bool = False

    def see(self, message: Message) -> None:
        """Note a message."""
        match message:
            case QueueChanged(items):
                self._queued = len(items)
            case StatusChanged(phase=phase):
                self.asking = phase == "asking"
            case SystemMessage("background_tasks_changed", data):
                tasks = cast("list[Any]", data.get("tasks") or [])
                self._agents = [_kind(task) for task in tasks].count("local_agent")
            case SystemMessage("task_notification", data):
                # a run that tells the model of it is about to begin, unless one goes that it joins
                self._owed = self._owed or (data.get("status") in FINISHED and not self.busy())
            case ResultMessage():
                self._owed = False
            case _:
                pass

    @property
    def quiet(self) -> bool:
        """No run goes or is about to begin by itself, and no sub-agent is at work."""
        return not (self.busy() or self._queued or self._owed or self._agents)


def _kind(task: Any) -> str:
    return str(cast("dict[str, Any]", task).get("task_type")) if isinstance(task, dict) else ""
