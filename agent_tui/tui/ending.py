"""Ends the program when a signal says so: in order while it can, and by force when it hangs, the terminal given back."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
STUCK = 8.0
"""Seconds from a signal until what still has not ended is taken for hanging: longer than an engine may take to end."""


class EndingBySignal:
    """While it holds, the signals that end a program end it in order.

    Args:
        leave: ends it in order, with an exit code; called in the event loop.
        give_back: restores the terminal by force, from another thread.
        stuck: seconds it gets for ending in order.
    """

    def __init__(
        self,
        leave: Callable[[int], object],
        give_back: Callable[[], object],
        stuck: float = STUCK,
    ) -> None:
        self._leave = leave
        self._give_back = give_back
        self._stuck = stuck
        self._timer: threading.Timer | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> EndingBySignal:
        self._loop = asyncio.get_running_loop()
        for number in SIGNALS:
            self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        """Have the loop leave; a loop that is blocked never does, so a clock runs beside it."""
        code = 128 + number
        if self._timer is None:
            self._timer = threading.Timer(self._stuck, self._force, [code])
            self._timer.daemon = True
            self._timer.start()
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._leave, code)

    def _force(self, code: int) -> None:
        self._give_back()
        os._exit(code)
