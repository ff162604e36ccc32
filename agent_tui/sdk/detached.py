"""The one task that belongs to no task group: it owns a program's session from its opening to its end.

A program opens a session in one place, reads in another and drops it in a third, so no scope of its own could span
that. The task is given work that never raises; what goes wrong is told to whoever reads.
"""

from __future__ import annotations

import asyncio
import contextvars
import importlib
from collections.abc import Awaitable, Callable
from typing import Any

import anyio

_running: set[asyncio.Task[None]] = set()
"""asyncio itself keeps no task alive."""


def spawn(work: Callable[[], Awaitable[None]], name: str) -> None:
    """Start a task beside everything that runs, on asyncio or trio; the loop's end cancels it.

    Args:
        work: what it does; it must not raise but when it is cancelled.
        name: for whoever lists tasks.
    """
    if anyio.get_cancelled_exc_class() is asyncio.CancelledError:
        task = asyncio.get_running_loop().create_task(_run(work), name=name)
        _running.add(task)
        task.add_done_callback(_running.discard)
    else:
        # trio is no dependency: a program that runs on it has it
        trio: Any = importlib.import_module("trio")
        trio.lowlevel.spawn_system_task(_run, work, name=name, context=contextvars.copy_context())


async def _run(work: Callable[[], Awaitable[None]]) -> None:
    await work()
