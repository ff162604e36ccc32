"""What a command in the sandbox may reach, said once for every kind of fence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agent_tui.protocol.ports import MayRead

PRIVATE: Final = ("/tmp", "/var/tmp")
"""Folders for temporary files: a command has its own where the fence can give it some."""


@dataclass(frozen=True, slots=True)
class Network:
    """The way out. Without allowed hosts there is none; with some it goes through our proxy, by HTTP and HTTPS only.

    Attributes:
        allowed, denied: hosts as in ``WebFetch(domain:...)``: exact, ``*.example.com``, ``*``. Denied ones win.
        upstream: host and port of a proxy that requests are handed on to.
        sockets: unix sockets of other programs that stay in reach, absolute.
        all_sockets: all of them stay.
        local_binding, mach_names: macOS only, see ``settings.sandbox``.
    """

    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    upstream: tuple[str, int] | None = None
    sockets: tuple[str, ...] = ()
    all_sockets: bool = False
    local_binding: bool = False
    mach_names: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        """Whether there is any way out."""
        return bool(self.allowed)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a command may reach besides the folders it works in.

    Attributes:
        home: the person's home folder.
        files: the file system is bounded; False: the network only.
        allow_write, deny_write, deny_read, allow_read: absolute paths; the more specific wins.
        secrets: absolute paths of credentials, hidden unless ``allow_read`` names them.
        protected_folders, protected_files: names that stay read-only in the folders it works in.
        may_read: whether rules let a file be read; None where no rule forbids any.
        network: the way out.
        variables: names of variables it doesn't get.
        weaker: do with less where the machine gives no more.
    """

    home: str
    files: bool = True
    allow_write: tuple[str, ...] = ()
    deny_write: tuple[str, ...] = ()
    deny_read: tuple[str, ...] = ()
    allow_read: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    protected_folders: frozenset[str] = frozenset()
    protected_files: frozenset[str] = frozenset()
    may_read: MayRead | None = None
    network: Network = Network()
    variables: tuple[str, ...] = ()
    weaker: bool = False


Reach: TypeAlias = Literal["write", "read", "empty", "closed"]
"""What a place is inside: writable, read-only, there but empty, there but not to be opened."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place and what it is inside. ``path`` is absolute, with no link in it."""

    path: str
    reach: Reach
    is_dir: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole file system as a command sees it: what no spot names is read-only.

    ``spots`` are in the order in which they take effect: a folder before what is in it. ``absent`` are protected names
    that are not there: where a fence can, it keeps them from being made.
    """

    spots: tuple[Spot, ...] = ()
    absent: tuple[str, ...] = ()


class Cover:
    """Spots while they are collected: one for each path, a later word about the same path wins."""

    def __init__(self) -> None:
        self._spots: dict[str, Spot] = {}

    def put(self, spot: Spot) -> None:
        """Say what a place is."""
        self._spots[spot.path] = spot

    def at(self, path: str) -> Spot | None:
        """Give the spot that a path is in: its own, else that of the nearest folder above."""
        while path not in self._spots:
            above = path.rpartition("/")[0] or "/"
            if above == path:
                return None
            path = above
        return self._spots[path]

    def ordered(self) -> tuple[Spot, ...]:
        """Give all, a folder before what is in it."""
        return tuple(self._spots[path] for path in sorted(self._spots, key=_depth))


def _depth(path: str) -> tuple[int, str]:
    return (0 if path == "/" else path.count("/"), path)
