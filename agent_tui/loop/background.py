"""Work in the background of a session: commands and sub-agents that outlive the call that began them.

``serve`` owns their task group, so they end with the session and with nothing else but an explicit stop. When one
has ended by itself the model is told: as a prompt that starts a run, or joins the one that goes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import anyio
from anyio.abc import TaskGroup

from agent_tui.loop.record import Recorder
from agent_tui.loop.task_news import TaskNews
from agent_tui.protocol.background import BackgroundKind, BackgroundTask, Ended, Work
from agent_tui.protocol.errors import AgentTuiError, PortError
from agent_tui.protocol.ops import Prompt

_log = logging.getLogger(__name__)

LETTERS: dict[BackgroundKind, str] = {"local_bash": "b", "local_agent": "a"}


@dataclass(slots=True)
class _Item:
    """One work: its value as it is now, the scope that ends it, who waits for it."""

    task: BackgroundTask
    begun: float
    notify: Callable[[Prompt], None]
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    done: anyio.Event = field(default_factory=anyio.Event)
    waiting: int = 0
    by_person: bool = False
    why: str = ""


class SessionBackground:
    """The ``Background`` port.

    Args:
        record: says the messages.
        notify: takes the prompt that tells the model of an end.
    """

    def __init__(self, record: Recorder, notify: Callable[[Prompt], None]) -> None:
        self._record = record
        self._notify = notify
        self._news = TaskNews(record)
        self._items: dict[str, _Item] = {}
        self._untold: list[str] = []
        self._group: TaskGroup | None = None
        self._ready = anyio.Event()
        self._gone = anyio.Event()
        self._one_ended = anyio.Event()

    async def serve(self) -> None:
        """Hold the works until cancelled; they end first."""
        try:
            async with anyio.create_task_group() as group:
                self._group = group
                self._ready.set()
                await anyio.sleep_forever()
        finally:
            self._group = None
            self._gone.set()

    def all(self) -> tuple[BackgroundTask, ...]:
        """Give all of this session, oldest first."""
        return tuple(item.task for item in self._items.values())

    def running(self, kind: BackgroundKind | None = None) -> tuple[BackgroundTask, ...]:
        """Give those that run, of one kind or of all."""
        return tuple(one for one in self.all() if not one.over and kind in (None, one.kind))

    def new_id(self, kind: BackgroundKind) -> str:
        """Give the id of the next work of a kind."""
        return LETTERS[kind] + self._record.stamp.new_id().replace("-", "")[-12:]

    async def start(
        self,
        task: BackgroundTask,
        work: Work,
        *,
        prompt: str = "",
        notify: Callable[[Prompt], None] | None = None,
    ) -> None:
        """Begin it; see the port.

        Args:
            task: what it is.
            work: does it.
            prompt: what a sub-agent was asked.
            notify: takes what tells of its end, where that is not for the session.
        """
        await self._ready.wait()
        if self._group is None:
            raise PortError("The session is ending: nothing can be started any more.")
        item = _Item(task, anyio.current_time(), notify or self._notify)
        self._items[task.id] = item
        await self._news.changed(self.running())
        await self._news.started(task, prompt)
        self._group.start_soon(self._carry, item, work)

    async def progress(self, task: BackgroundTask, last_tool: str = "") -> None:
        """Note what changed and say it."""
        item = self._items.get(task.id)
        if item is not None and not item.task.over:
            item.task = task
            await self._news.progress(task, last_tool)

    async def wait(self, task_id: str, timeout_ms: int) -> BackgroundTask:
        """Wait until it has ended or the time is over."""
        item = self._found(task_id)
        item.waiting += 1
        try:
            with anyio.move_on_after(timeout_ms / 1000):
                await item.done.wait()
        finally:
            item.waiting -= 1
        return item.task

    async def stop(self, task_id: str, *, by_person: bool = False) -> BackgroundTask:
        """End it and wait until it is gone."""
        item = self._found(task_id)
        if item.task.over:
            raise PortError(f"{task_id} has ended already ({item.task.status}).")
        item.by_person = by_person
        item.scope.cancel()
        await item.done.wait()
        return item.task

    async def stop_all(self, kind: BackgroundKind) -> None:
        """End all of a kind and wait until they are gone."""
        for task in self.running(kind):
            self._items[task.id].scope.cancel()
            await self._items[task.id].done.wait()

    async def end(self) -> None:
        """End everything, because the session ends; nothing is said of it."""
        if self._group is not None:
            self._group.cancel_scope.cancel()
            await self._gone.wait()

    def end_agents(self, why: str) -> None:
        """Have every sub-agent end, now; ``why`` is what is said of it."""
        for item in self._items.values():
            if item.task.kind == "local_agent" and not item.task.over:
                item.why = item.why or why
                item.scope.cancel()

    async def next_end(self) -> None:
        """Wait until one more has ended and the model has been told of it."""
        await self._one_ended.wait()

    def take_untold(self) -> tuple[str, ...]:
        """Give what the model is to be told with the next prompt, once."""
        untold, self._untold = self._untold, []
        return tuple(untold)

    # One work -------------------------------------------------------------------------------------------------------

    async def _carry(self, item: _Item, work: Work) -> None:
        ended: Ended | None = None
        try:
            with item.scope:
                ended = await self._guarded(item, work)
            await self._end(item, ended)
        finally:
            item.done.set()

    async def _guarded(self, item: _Item, work: Work) -> Ended:
        what = item.task.description
        try:
            return await work()
        except AgentTuiError as error:
            return Ended("failed", f"{what}: {error}", str(error))
        except Exception as error:  # boundary: a fault of a work is its end, the session goes on
            _log.exception("work in the background failed")
            text = f"{type(error).__name__}: {error}".rstrip(": ")
            return Ended("failed", f"{what}: {text}", text)

    async def _end(self, item: _Item, ended: Ended | None) -> None:
        took = round((anyio.current_time() - item.begun) * 1000)
        if ended is None:
            summary = f"{item.task.description}: {item.why or 'stopped'}"
            item.task = replace(item.task, status="killed", summary=summary, duration_ms=took)
        else:
            used = ended.usage or {}
            item.task = replace(
                item.task,
                status=ended.status,
                summary=ended.summary,
                exit_code=ended.exit_code,
                total_tokens=used.get("total_tokens", item.task.total_tokens),
                tool_uses=used.get("tool_uses", item.task.tool_uses),
                duration_ms=took,
            )
        told = item.waiting > 0
        await self._news.ended(item.task)
        await self._news.changed(self.running())
        if ended is not None and not told:
            item.notify(self._news.to_model(item.task, ended))
        elif ended is None and item.by_person:
            self._untold.append(
                f"The user stopped the background task {item.task.id} ({item.task.description}). "
                f"What it had given until then is in {item.task.output_file}."
            )
        one_ended, self._one_ended = self._one_ended, anyio.Event()
        one_ended.set()

    def _found(self, task_id: str) -> _Item:
        item = self._items.get(task_id)
        if item is None:
            running = ", ".join(f"{one.id} ({one.description})" for one in self.running())
            raise PortError(
                f"There is no background task {task_id!r}. "
                + (f"Running now: {running}." if running else "None is running now.")
            )
        return item
