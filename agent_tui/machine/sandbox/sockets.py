"""Unix sockets that other programs listen on: a read-only file system doesn't keep anybody from talking to them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

MOST: Final = 200
_TABLE: Final = Path("/proc/net/unix")


def sockets_in_reach(table: Path = _TABLE) -> tuple[str, ...]:
    """Give the real paths of the sockets that are bound now; blocks. Nothing where there is no such table."""
    try:
        lines = table.read_text("utf-8", "surrogateescape").splitlines()[1:]
    except OSError:
        return ()
    found: dict[str, None] = {}
    for line in lines:
        fields = line.split(maxsplit=7)
        if len(fields) == 8 and fields[7].startswith("/") and os.path.lexists(fields[7]):
            found[os.path.realpath(fields[7])] = None
    return tuple(found)[:MOST]


DROPPED: Final = (
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "WAYLAND_DISPLAY",
    "DISPLAY",
    "XAUTHORITY",
    "DOCKER_HOST",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "SWAYSOCK",
    "I3SOCK",
    "VSCODE_IPC_HOOK_CLI",
    "KITTY_LISTEN_ON",
)
"""Variables that say where such sockets are."""


def without_sockets(env: dict[str, str], kept: tuple[str, ...]) -> dict[str, str]:
    """Leave out the variables that name a socket, but for those that stay in reach."""
    return {
        name: value
        for name, value in env.items()
        if name not in DROPPED or any(path in value for path in kept)
    }
