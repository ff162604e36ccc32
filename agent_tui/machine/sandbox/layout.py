"""Where a command may write and read, put together from its folders and the bounds."""

from __future__ import annotations

import os
import os.path

from agent_tui.machine.sandbox.bounds import PRIVATE, Bounds, Cover, Layout, Reach, Spot
from agent_tui.machine.sandbox.found import Found, look
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ports import Start

NOT_BOUNDED = "The sandbox can't bound a command that works in {folder}: that would leave nothing closed. Work in a folder below."
SYSTEM_SECRETS = (
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/shadow-",
    "/etc/gshadow-",
    "/etc/ssl/private",
)


def lay_out(start: Start, bounds: Bounds) -> Layout:
    """Say what every place is for this command. Blocks on files.

    In order, a later word about the same place wins: the folders it works in, protected names in them, credentials,
    then the settings: ``allow_read``, ``allow_write``, ``deny_write``, ``deny_read``, and files that rules forbid to read.

    Raises:
        PortError: its folders can't be bounded.
    """
    if not bounds.files:
        return Layout()
    folders = tuple(dict.fromkeys(os.path.realpath(folder) for folder in start.dirs))
    if "/" in folders:
        raise PortError(NOT_BOUNDED.format(folder="/"))
    cover = Cover()
    for folder in folders:
        _put(cover, folder, "write")
    found = look(folders, bounds)
    _protect(cover, found)
    system = (path for path in SYSTEM_SECRETS if os.access(path, os.R_OK))  # mostly root's alone
    for path in (*bounds.secrets, *system):
        _hide(cover, path)
    _chosen(cover, bounds)
    for path in found.forbidden:
        _put(cover, path, "closed")
    for path in start.shows:
        _show(cover, path)
    return Layout(cover.ordered(), _absent(folders, bounds))


def _protect(cover: Cover, found: Found) -> None:
    for path in found.pinned:
        _put(cover, path, "write")
    for path in found.protected:
        _put(cover, path, "read")
    for path in found.opened:
        _put(cover, path, "write")


def _hide(cover: Cover, path: str) -> None:
    """Hide a credential: a folder is closed, a file reads as empty, so that programs which look for it go on."""
    real = os.path.realpath(path)
    closed = os.path.isdir(real)  # noqa: PTH112 - names need not be text
    _put(cover, path, "closed" if closed else "empty")


def _chosen(cover: Cover, bounds: Bounds) -> None:
    """Take over what the settings say."""
    for path in bounds.allow_read:
        _show(cover, path)
    for path in bounds.allow_write:
        _put(cover, path, "write")
    for path in bounds.deny_write:
        spot = cover.at(os.path.realpath(path))
        if spot is not None and spot.reach == "write":
            _put(cover, path, "read")
    for path in bounds.deny_read:
        if os.path.realpath(path) == "/":
            raise PortError("sandbox.filesystem.denyRead can't be /: no program could be run.")
        _put(cover, path, "closed")
    for path in (
        *bounds.allow_read,
        *bounds.allow_write,
    ):  # what was opened inside of what is closed
        spot = cover.at(os.path.realpath(path))
        if spot is not None and spot.reach == "closed" and spot.path != os.path.realpath(path):
            _put(cover, path, "write" if path in bounds.allow_write else "read")


def _show(cover: Cover, path: str) -> None:
    """Let a place be read; one that can be written by now stays so."""
    real = os.path.realpath(path)
    spot = cover.at(real)
    hidden = real.startswith(tuple(f"{folder}/" for folder in PRIVATE))
    if hidden if spot is None else spot.reach in ("closed", "empty"):
        _put(cover, path, "read")


def _put(cover: Cover, path: str, reach: Reach) -> None:
    """Say what a place is, if it is there: what isn't can't be made outside the writable folders either."""
    real = os.path.realpath(path)
    if os.path.lexists(real):
        cover.put(Spot(real, reach, os.path.isdir(real)))  # noqa: PTH112 - names need not be text


def _absent(folders: tuple[str, ...], bounds: Bounds) -> tuple[str, ...]:
    """Give protected names that are not there, right in the folders a command works in."""
    names = sorted(bounds.protected_folders | bounds.protected_files)
    paths = [f"{folder}/{name}" for folder in folders for name in names]
    for folder in folders:
        git = f"{folder}/.git"
        if os.path.lexists(f"{git}/HEAD"):
            paths += [f"{git}/{name}" for name in ("hooks", "config.worktree", "commondir")]
    return tuple(path for path in paths if not os.path.lexists(path))
