"""Lines that are copied to a program's store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal, cast

import anyio
import pytest

from agent_tui.protocol.content import JsonObject
from agent_tui.sdk import mirroring
from agent_tui.sdk.mirroring import StoreMirror
from agent_tui.sdk.session_types import SessionKey
from agent_tui.sdk.stores import InMemorySessionStore

pytestmark = pytest.mark.anyio
KEY: SessionKey = {"project_key": "p", "session_id": "s"}
SIDE: SessionKey = {**KEY, "subpath": "subagents/agent-1"}


class Store(InMemorySessionStore):
    """Remembers the calls; fails or hangs as told, a word per call."""

    def __init__(self, *moods: str) -> None:
        super().__init__()
        self.moods = list(moods)
        self.calls: list[tuple[str, int]] = []
        self.called = anyio.Event()
        self.goes_on = anyio.Event()

    async def append(self, key: SessionKey, entries: Any) -> None:
        self.calls.append((key.get("subpath") or "main", len(entries)))
        self.called.set()
        mood = self.moods.pop(0) if self.moods else "well"
        if mood == "fails":
            raise RuntimeError("no")
        if mood == "hangs":
            await anyio.sleep_forever()
        if mood == "waits":
            await self.goes_on.wait()
        await super().append(key, entries)


def lines(*numbers: int) -> tuple[JsonObject, ...]:
    return tuple({"type": "x", "uuid": str(number)} for number in numbers)


def kept(store: InMemorySessionStore, key: SessionKey = KEY) -> list[int]:
    return [int(cast("Any", entry)["uuid"]) for entry in store.get_entries(key)]


async def run(
    store: InMemorySessionStore,
    body: Callable[[StoreMirror], Awaitable[None]],
    mode: Literal["batched", "eager"] = "batched",
    seconds: float = 10.0,
) -> list[tuple[JsonObject | None, str]]:
    """Serve a mirror while ``body`` goes; give what was reported."""
    reported: list[tuple[JsonObject | None, str]] = []
    told: list[SessionKey] = []

    async def report(key: JsonObject | None, error: str) -> None:
        reported.append((key, error))

    mirror = StoreMirror(
        store,
        "p",
        mode,
        lambda key, error: told.append(key),
        append_seconds=seconds,
        pauses=(0.0, 0.0),
    )
    async with anyio.create_task_group() as group:
        group.start_soon(mirror.serve, report)
        with anyio.fail_after(5):
            await body(mirror)
        group.cancel_scope.cancel()
    assert told == [key for key, _ in reported]
    return reported


async def test_a_turns_lines_wait_for_its_end() -> None:
    store = Store()

    async def body(mirror: StoreMirror) -> None:
        mirror.lines(None, "s", lines(1, 2))
        mirror.lines(None, "s", lines(3))
        await anyio.wait_all_tasks_blocked()
        assert store.calls == []
        await mirror.flush()
        assert store.calls == [("main", 3)]
        await mirror.flush()

    assert await run(store, body) == []
    assert kept(store) == [1, 2, 3]
    assert store.calls == [("main", 3)]


async def test_many_lines_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirroring, "MAX_WAITING", 3)
    store = Store()

    async def body(mirror: StoreMirror) -> None:
        for number in range(3):
            mirror.lines(None, "s", lines(number))
        await anyio.wait_all_tasks_blocked()
        assert store.calls == []
        mirror.lines(None, "s", lines(3))
        await store.called.wait()

    await run(store, body)
    assert store.calls == [("main", 4)]


async def test_long_lines_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirroring, "MAX_WAITING_BYTES", 100)
    store = Store()

    async def body(mirror: StoreMirror) -> None:
        mirror.lines(None, "s", ({"type": "x", "uuid": "1", "text": "x" * 100},))
        await store.called.wait()

    await run(store, body)
    assert kept(store) == [1]


async def test_eager_passes_on_at_once_and_together_what_came_meanwhile() -> None:
    store = Store("waits")

    async def body(mirror: StoreMirror) -> None:
        mirror.lines(None, "s", lines(1))
        await store.called.wait()
        mirror.lines(None, "s", lines(2))
        mirror.lines(None, "s", lines(3))
        await anyio.wait_all_tasks_blocked()
        assert store.calls == [("main", 1)]
        store.goes_on.set()
        await mirror.flush()

    await run(store, body, "eager")
    assert store.calls == [("main", 1), ("main", 2)]
    assert kept(store) == [1, 2, 3]


async def test_each_journal_keeps_its_order() -> None:
    store = Store()

    async def body(mirror: StoreMirror) -> None:
        mirror.lines(None, "s", lines(1))
        mirror.lines("subagents/agent-1", "s", lines(10))
        mirror.lines(None, "s", lines(2))
        mirror.lines("subagents/agent-1", "s", lines(11))
        mirror.lines(None, "t", lines(20))
        await mirror.flush()

    await run(store, body)
    assert (kept(store), kept(store, SIDE)) == ([1, 2], [10, 11])
    assert kept(store, {**KEY, "session_id": "t"}) == [20]


async def test_a_failure_is_tried_again() -> None:
    store = Store("fails", "fails")

    async def body(mirror: StoreMirror) -> None:
        mirror.lines(None, "s", lines(1))
        await mirror.flush()

    assert await run(store, body) == []
    assert kept(store) == [1]
    assert len(store.calls) == 3


async def test_after_three_failures_the_lines_are_dropped_and_that_is_said() -> None:
    store = Store("fails", "fails", "fails")

    async def body(mirror: StoreMirror) -> None:
        mirror.lines("subagents/agent-1", "s", lines(1))
        await mirror.flush()
        mirror.lines(None, "s", lines(2))
        await mirror.flush()

    [(key, error)] = await run(store, body)
    assert key == SIDE
    assert "RuntimeError: no" in error
    assert (kept(store), kept(store, SIDE)) == ([2], [])
    assert len(store.calls) == 4


async def test_what_does_not_answer_is_not_sent_again() -> None:
    store = Store("hangs")

    async def body(mirror: StoreMirror) -> None:
        mirror.lines(None, "s", lines(1))
        await mirror.flush()

    [(key, error)] = await run(store, body, seconds=0.01)
    assert key == KEY
    assert "did not answer append" in error
    assert len(store.calls) == 1


async def test_the_usual_pauses_are_short_and_two() -> None:
    assert len(mirroring.PAUSES) == 2
    assert sum(mirroring.PAUSES) <= 1
