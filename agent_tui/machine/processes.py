"""What a command started, and how to end all of it.

A command runs in a session and group of its own, so one signal to the group reaches nearly everything. On Linux a
second net catches what left the group (``setsid``, double forks): every process of a command carries a mark in its
environment, found through ``/proc``. What escapes that too is an orphan, ended with the engine (``orphans``).
Elsewhere there is the group only.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio import to_thread

MARK = "AGENT_TUI_CALL"
"""The variable that marks every process of a command."""

GRACE = 1.0
"""Seconds between asking a process to end and killing it."""

_PROC = Path("/proc")
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class Process:
    """A live process. ``started`` (clock ticks since boot) tells it from a later one with the same id."""

    pid: int
    parent: int
    group: int
    session: int
    started: int

    @property
    def command(self) -> str:
        """Its command line on one line; empty when it is gone."""
        try:
            raw = (_PROC / str(self.pid) / "cmdline").read_bytes()
        except OSError:
            return ""
        return " ".join(raw.decode("utf-8", "backslashreplace").replace("\0", " ").split())


def live_processes() -> Iterator[Process]:
    """Give every process that is alive, zombies left out. Nothing where there is no ``/proc``."""
    try:
        names = [entry.name for entry in _PROC.iterdir()]
    except OSError:
        return
    for name in names:
        if name.isdigit():
            found = _look(int(name))
            if found is not None:
                yield found


def of_command(mark: str, session: int) -> tuple[Process, ...]:
    """Find what is alive of a command: its session, whatever carries its mark, and the children of those."""
    everything = list(live_processes())
    found = {p.pid: p for p in everything if p.session == session or _is_marked(p.pid, mark)}
    return with_children(found, everything)


async def end_command(mark: str, group: int) -> None:
    """End everything a command started: ask, wait, kill. The caller waits for the command's own process."""
    targets = await to_thread.run_sync(of_command, mark, group)
    _signal_group(group, signal.SIGTERM)
    signal_all((p for p in targets if p.group != group), signal.SIGTERM)  # nobody is asked twice
    await _gone(targets, group, GRACE)
    for _ in range(3):  # again, for what was forked between looking and killing
        _signal_group(group, signal.SIGKILL)
        targets = await to_thread.run_sync(of_command, mark, group)
        signal_all(targets, signal.SIGKILL)
        await _gone(targets, group, GRACE)
        reap(p for p in targets if p.pid != group)
        if not targets:
            return


async def end_processes(targets: tuple[Process, ...]) -> None:
    """End these processes: ask, wait, kill; reap those that are our children."""
    signal_all(targets, signal.SIGTERM)
    await _gone(targets, None, GRACE)
    signal_all(targets, signal.SIGKILL)
    await _gone(targets, None, GRACE)
    reap(targets)


def group_is_left(group: int) -> bool:
    """Whether a group has members where they can't be looked at: without ``/proc``."""
    return not _PROC.exists() and _any_left((), group)


def reap(processes: Iterable[Process]) -> None:
    """Take leave of orphans that became our children, so that none stays as a zombie."""
    for process in processes:
        try:
            os.waitpid(process.pid, os.WNOHANG)
        except ChildProcessError:
            continue  # somebody else's child


def is_alive(process: Process) -> bool:
    """Whether this very process still runs."""
    now = _look(process.pid)
    return now is not None and now.started == process.started


def _look(pid: int) -> Process | None:
    try:
        text = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return None
    # The second field is the name in brackets, and may itself hold spaces and brackets.
    fields = text[text.rindex(")") + 2 :].split()
    if fields[0] in ("Z", "X"):
        return None
    return Process(pid, int(fields[1]), int(fields[2]), int(fields[3]), int(fields[19]))


def _is_marked(pid: int, mark: str) -> bool:
    try:
        raw = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return False
    return f"{MARK}={mark}".encode() in raw.split(b"\0")


def with_children(found: dict[int, Process], everything: list[Process]) -> tuple[Process, ...]:
    """Add the descendants of these processes; this process itself is left out."""
    grew = True
    while grew:
        more = {p.pid: p for p in everything if p.parent in found and p.pid not in found}
        grew = bool(more)
        found.update(more)
    found.pop(os.getpid(), None)
    return tuple(found.values())


def signal_all(targets: Iterable[Process], number: signal.Signals) -> None:
    """Signal each that is still the same process."""
    for target in targets:
        if is_alive(target):
            try:
                os.kill(target.pid, number)
            except (ProcessLookupError, PermissionError):
                continue


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS says "permitted" of a group of zombies
        return


async def _gone(targets: tuple[Process, ...], group: int | None, seconds: float) -> None:
    """Wait until they are dead, but no longer than ``seconds``."""
    with anyio.move_on_after(seconds):
        while _any_left(targets, group):  # noqa: ASYNC110 - of a stranger's child no event tells
            await anyio.sleep(_POLL)


def _any_left(targets: tuple[Process, ...], group: int | None) -> bool:
    if targets or group is None or _PROC.exists():
        return any(is_alive(target) for target in targets)
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
