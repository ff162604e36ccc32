"""Finding out whether processes are gone."""

from __future__ import annotations

import os
from pathlib import Path

import anyio

NAP = f"sleep 3{os.getpid()}"
"""Begins the command of a long sleep that no other test process runs."""


def running(*words: str) -> list[str]:
    """Give the command lines of live processes that hold all these words; zombies don't count."""
    found: list[str] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (
                (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            )
            state = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z" and all(word in command for word in words):
            found.append(command)
    return found


async def gone(*words: str, within: float = 1.0) -> bool:
    """Wait until no such process is alive."""
    with anyio.move_on_after(within):
        while running(*words):
            await anyio.sleep(0.02)
        return True
    return False
