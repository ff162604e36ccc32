"""When a run without a screen is over, and with which exit code.

After the last answer sub-agents in the background are waited for, and the runs that their ends begin; background
commands get a moment, since a server would never end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import anyio

from agent_tui.protocol.messages import (
    Message,
    QueueChanged,
    ResultMessage,
    StatusChanged,
    SystemMessage,
)
from agent_tui.settings.paths import Environment

AGENT_SECONDS = 600.0
"""How long background sub-agents are waited for; ``CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS`` sets it, 0 is no limit."""

SHELL_SECONDS = 5.0
"""How long background commands may go on after the last answer."""

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
        agent_seconds: how long sub-agents are waited for.
        shell_seconds: how long commands are.
    """

    busy: Callable[[], bool]
    agent_seconds: float = AGENT_SECONDS
    shell_seconds: float = SHELL_SECONDS
    asking: bool = False
    _agents: int = 0
    _shells: int = 0
    _queued: int = 0
    _owed: bool = False
    _changed: anyio.Event = field(default_factory=anyio.Event)

    def see(self, message: Message) -> None:
        """Note a message."""
        match message:
            case QueueChanged(items):
                self._queued = len(items)
            case StatusChanged(phase=phase):
                self.asking = phase == "asking"
            case SystemMessage("background_tasks_changed", data):
                kinds = [_kind(task) for task in cast("list[Any]", data.get("tasks") or [])]
                self._agents = kinds.count("local_agent")
                self._shells = len(kinds) - self._agents
            case SystemMessage("task_notification", data):
                # a run that tells the model of it is about to begin, unless one goes that it joins
                self._owed = self._owed or (data.get("status") in FINISHED and not self.busy())
            case ResultMessage():
                self._owed = False
            case _:
                return
        self.wake()

    def wake(self) -> None:
        """Have waits look again."""
        changed, self._changed = self._changed, anyio.Event()
        changed.set()

    @property
    def quiet(self) -> bool:
        """No run goes or is about to begin by itself, and no sub-agent is at work."""
        return self._still() and not self._agents

    async def over(self) -> None:
        """Wait until nothing is to be waited for any more."""
        with anyio.move_on_after(self.agent_seconds):
            await self._until(lambda: self.quiet)
        with anyio.move_on_after(self.shell_seconds):
            await self._until(lambda: not self._shells)
        await self._until(self._still)

    def _still(self) -> bool:
        return not self.busy() and not self._queued and not self._owed

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._changed.wait()


def agent_seconds(env: Environment) -> float:
    """Read how long sub-agents are waited for."""
    text = env.get("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS")
    if not (text.isascii() and text.isdigit()):
        return AGENT_SECONDS
    return int(text) / 1000 if int(text) else float("inf")


def _kind(task: Any) -> str:
    return str(cast("dict[str, Any]", task).get("task_type")) if isinstance(task, dict) else ""
