"""Processes nobody waits for any more: adopted by this process on Linux, found, ended and reaped.

``setsid`` and a killed parent take a process out of every group we could signal. On Linux a *child subreaper*
becomes the parent of such orphans, so they can be listed and ended. Elsewhere process groups are all there is.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 0.5
"""Seconds between asking (TERM) and ending (KILL)."""


def become_subreaper() -> bool:
    """Make this process the parent of its orphaned descendants; False where the system has no such thing."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def descendants(pid: int | None = None) -> list[int]:
    """List the living descendants of ``pid`` (this process), zombies left out; empty where ``/proc`` is not."""
    children: dict[int, list[int]] = {}
    states: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = entry.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended while we looked
        child = int(entry.parent.name)
        states[child] = after_name[0]
        children.setdefault(int(after_name[1]), []).append(child)
    found: list[int] = []
    todo = [os.getpid() if pid is None else pid]
    while todo:
        below = children.get(todo.pop(), [])
        todo.extend(below)
        found.extend(child for child in below if states[child] not in "ZX")
    return found


def end_descendants(patience: float = PATIENCE) -> int:
    """Ask all descendants to end, then kill what is left, and reap the dead; tell how many there were.

    Blocks for ``patience`` seconds at most, and not at all when there are none. Call it only where no child is
    still wanted.
    """
    first = descendants()
    for pid in first:
        _signal(pid, signal.SIGTERM)
    deadline = time.monotonic() + patience
    while descendants() and time.monotonic() < deadline:
        reap()
        time.sleep(0.02)
    for _ in range(5):  # killing a parent hands us its children: look again
        left = descendants()
        if not left:
            break
        for pid in left:
            _signal(pid, signal.SIGKILL)
        time.sleep(0.02)
        reap()
    reap()
    return len(first)


def reap() -> None:
    """Collect dead children that nobody else waits for."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
