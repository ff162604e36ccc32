"""Processes nobody waits for any more: adopted by this process on Linux, found, ended and reaped.

``setsid`` and a killed parent take a process out of every group we could signal. On Linux a *child subreaper*
becomes the parent of such orphans, so they can be listed and ended. Elsewhere process groups are all there is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time

from agent_tui.machine.processes import Process, live_processes, reap, signal_all, with_children

PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 0.5
"""Seconds between asking (TERM) and ending (KILL)."""

_POLL = 0.02
_ROUNDS = 5


def become_subreaper() -> bool:
    """Make this process the parent of its orphaned descendants; False where the system has no such thing."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def descendants(*, spare_session: int | None = None) -> tuple[Process, ...]:
    """List the living descendants of this process; nothing where there is no ``/proc``.

    Those of the session ``spare_session`` are left out: a program that this process runs in its own terminal, and
    waits for, is no orphan.
    """
    everything = list(live_processes())
    mine = {p.pid: p for p in everything if p.pid == os.getpid()}
    return tuple(p for p in with_children(mine, everything) if p.session != spare_session)


def end_descendants(patience: float = PATIENCE, *, spare_session: int | None = None) -> int:
    """Ask all descendants to end, then kill what is left, and reap the dead; tell how many there were.

    Blocks for ``patience`` seconds and a moment at most, and not at all when there are none. Call it only where no
    child is still wanted but those of ``spare_session``.
    """
    first = left = descendants(spare_session=spare_session)
    signal_all(first, signal.SIGTERM)
    deadline = time.monotonic() + patience
    while left and time.monotonic() < deadline:
        time.sleep(_POLL)
        reap(left)
        left = descendants(spare_session=spare_session)
    for _ in range(_ROUNDS):  # killing a parent hands us its children: look again
        if not left:
            break
        signal_all(left, signal.SIGKILL)
        time.sleep(_POLL)
        reap(left)
        left = descendants(spare_session=spare_session)
    reap(first)
    return len(first)
