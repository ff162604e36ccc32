"""Looks at the processes of a test from outside: which are there, how big they are."""

from __future__ import annotations

import os
from pathlib import Path


def processes_of(home: Path) -> dict[int, str]:
    """Living processes that have ``home`` as their HOME: id to command line; zombies left out."""
    mark = f"HOME={home}\0".encode()
    found: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark not in (entry / "environ").read_bytes() + b"\0":
                continue
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z" and int(entry.name) != os.getpid():
            found[int(entry.name)] = line
    return found


def engine_of(home: Path) -> int:
    """The one engine that runs with this home."""
    [pid] = [pid for pid, line in processes_of(home).items() if "agent_tui.engine.host" in line]
    return pid


def peak_mb(pid: int) -> float:
    """The most memory a process has had so far, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no VmHWM")
