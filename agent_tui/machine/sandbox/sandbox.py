"""The ``Sandbox`` port: which lines run inside, and what is around each of them."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Final, Protocol, TypeAlias

import anyio

from agent_tui.machine.sandbox.bounds import Bounds, Layout, Network, Spot
from agent_tui.machine.sandbox.bubblewrap import Report, explained
from agent_tui.machine.sandbox.layout import lay_out
from agent_tui.machine.sandbox.placeholders import Placeholders, appeared, move_out
from agent_tui.machine.sandbox.proxy import Proxy
from agent_tui.machine.sandbox.sockets import without_sockets
from agent_tui.machine.sandbox.violations import blocked
from agent_tui.protocol.ports import Start

PORT: Final = 38_080
"""Where our proxy is found inside: each command has a loopback of its own."""

MARKER: Final = "AGENT_TUI_SANDBOX"
"""The variable that tells a command what it runs in."""

ASK: Final = "If the person should let it do that, call again with dangerouslyDisableSandbox: true; they are asked."
NEVER: Final = "Nothing runs outside of it in this session: tell the person if you need it."

FENCE_CODES: Final = frozenset({64, 65, 71})
"""How ``sandbox-exec`` ends when it is at fault itself."""

BoundsNow: TypeAlias = Callable[[], Bounds]


class Fence(Protocol):
    """What bounds one command: a program of the system."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def reports(self) -> bool:
        """Whether it says by the descriptor it is given that the command began."""
        ...

    @property
    def proxies(self) -> bool:
        """Whether a command can reach our proxy from inside."""
        ...

    def inside(self, path: str) -> str:
        """Say where a command finds a file of ours."""
        ...

    def fence(self, start: Start, layout: Layout, bounds: Bounds, status: int) -> Start:
        """Give what to start instead; ``status`` is a descriptor it may report to."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """What the settings say of lines.

    Attributes:
        unasked: what runs inside needs no approval.
        may_leave: a call may ask to run outside.
        excluded: tells whether a line runs outside always.
        ignored: see ``violations.blocked``.
    """

    unasked: bool = True
    may_leave: bool = True
    excluded: Callable[[str], bool] = lambda line: False
    ignored: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class CommandSandbox:
    """The sandbox of a session and its sub-agents.

    Args:
        fence: what bounds a command.
        bounds: gives what may be reached, as it is now: rules change while a session goes.
        choice: which lines run inside.
    """

    def __init__(self, fence: Fence, bounds: BoundsNow, choice: Choice) -> None:
        self._fence = fence
        self._bounds = bounds
        self._choice = choice
        self._placeholders = Placeholders()

    @property
    def unasked(self) -> bool:
        """Whether lines that run inside need no approval."""
        return self._choice.unasked

    @property
    def may_leave(self) -> bool:
        """Whether a call may ask to run outside."""
        return self._choice.may_leave

    def lets_through(self, network: Network) -> bool:
        """Tell whether a command can reach any host."""
        return network.open and self._fence.proxies and bool(sys.executable)

    def holds(self, line: str, *, leaves: bool) -> bool:
        """Tell whether a line runs inside."""
        if leaves and self._choice.may_leave:
            return False
        return not self._choice.excluded(line)

    def inside(self, path: str) -> str:
        """Say where a command finds one of the files that its ``Start`` names."""
        return self._fence.inside(path)

    def confine(self, start: Start) -> Confinement:
        """Make ready for one command; see the port."""
        bounds = self._bounds()
        env = dict(start.env)
        for name in bounds.variables:
            env.pop(name, None)
        if not bounds.network.all_sockets:
            env = without_sockets(env, bounds.network.sockets)
        env[MARKER] = self._fence.name
        door = Door.at(bounds.network) if self.lets_through(bounds.network) else None
        if door is not None:
            start, env = door.before(start), {**env, **proxied()}
        with contextlib.ExitStack() as undo:
            if door is not None:
                undo.callback(door.close)
            with self._placeholders.lock:
                layout = lay_out(start, bounds)
                taken = self._placeholders.take(layout.absent) if bounds.files else ()
            undo.callback(self._placeholders.leave, taken)
            covered = tuple(Spot(path, "read", is_dir=True) for path in taken)
            spots = tuple(spot for spot in layout.spots if spot.path not in taken)
            reader, writer = os.pipe()
            undo.callback(os.close, reader)
            undo.callback(os.close, writer)
            os.set_blocking(reader, False)
            fenced = self._fence.fence(
                replace(start, env=env), replace(layout, spots=(*spots, *covered)), bounds, writer
            )
            undo.pop_all()
        hold = _Hold(self._placeholders, taken, layout.absent, start.kept, lasting=start.lasting)
        status = _Status(self._fence.reports, reader, writer)
        return Confinement(fenced, status, door, hold, self._choice)


@dataclass(frozen=True, slots=True)
class _Hold:
    """What was looked at and made beforehand, and is seen to afterwards."""

    placeholders: Placeholders
    taken: tuple[str, ...]
    absent: tuple[str, ...]
    kept: str
    lasting: bool

    def leave(self) -> None:
        """Let go of the folders that were made for it."""
        self.placeholders.leave(self.taken)

    def made(self) -> tuple[str, ...]:
        """Look whether names are there that must not be."""
        found = appeared(self.absent)
        if not found:
            return ()
        if self.lasting or not self.kept:
            named = ", ".join(found)
            return (f"{named}: protected places that were not there when this command began.",)
        return move_out(found, self.kept)


class _Status:
    """What the fence says of a command, by a pipe; or, where it doesn't report, by its words."""

    def __init__(self, reports: bool, reader: int, writer: int) -> None:
        self._reports = reports
        self._reader = reader
        self._writer = writer
        self._said = b""

    def began(self, exit_code: int, output: str) -> bool:
        """Tell whether the command itself ever began; ``exit_code`` is that of the fence."""
        if exit_code <= 0:
            return True
        if not self._reports:
            return exit_code not in FENCE_CODES or not output.startswith("sandbox-exec:")
        return self.report().began

    def report(self) -> Report:
        """Give what it reported until now."""
        while self._reader >= 0:
            try:
                chunk = os.read(self._reader, 65_536)
            except BlockingIOError:
                break
            if not chunk:
                break
            self._said += chunk
        return Report.read(self._said.decode("utf-8", "replace"))

    def begun(self) -> None:
        """Let go of the child's end."""
        if self._writer >= 0:
            os.close(self._writer)
            self._writer = -1

    def close(self) -> None:
        """Let go of both ends."""
        self.begun()
        if self._reader >= 0:
            os.close(self._reader)
            self._reader = -1


class Confinement:
    """One command in the sandbox."""

    def __init__(
        self, start: Start, status: _Status, door: Door | None, hold: _Hold, choice: Choice
    ) -> None:
        self._start = start
        self._status = status
        self._door = door
        self._hold = hold
        self._choice = choice
        self._refused: dict[str, None] = {}

    @property
    def start(self) -> Start:
        """What to start instead."""
        return self._start

    def begun(self) -> None:
        """Let go of what the child alone needs."""
        self._status.begun()
        if self._door is not None:
            self._door.begun()

    async def serve(self) -> None:
        """Let named hosts through, where there are any."""
        if self._door is not None:
            listener = await self._door.opened()
            if listener is not None:
                proxy = Proxy(self._door.network, lambda host: self._refused.update({host: None}))
                await proxy.serve(listener)

    def failure(self, exit_code: int, output: str) -> str:
        """Say why the sandbox could not be set up, so that the command never began; empty: it began."""
        if self._status.began(exit_code, output):
            return ""
        said = " ".join(output.split())[:500] or f"it ended with {exit_code} and said nothing"
        return (
            "The sandbox could not be set up, so the command was not run: "
            f"{explained(said)}. It isn't run without the sandbox either, unless the person says so."
        )

    def inner(self) -> int:
        """Give the id of the first process of the namespace."""
        return self._status.report().inner

    def notes(self, line: str, exit_code: int, output: str) -> tuple[str, ...]:
        """Say what the sandbox kept from happening."""
        out: list[str] = []
        if self._refused:
            hosts = ", ".join(self._refused)
            out.append(f"The sandbox refused the network to: {hosts}.")
        found = blocked(line, output, self._choice.ignored) if exit_code else None
        if found:
            kept = [
                *(["write outside the working folders and /tmp"] if found.files else []),
                *(["reach the network"] if found.network else []),
            ]
            out.append(f"The sandbox may be why: in it a command can't {' or '.join(kept)}.")
        if out:
            out.append(ASK if self._choice.may_leave else NEVER)
        return (" ".join(out),) if out else ()

    def close(self) -> tuple[str, ...]:
        """Look what it made; blocks on files."""
        self._status.close()
        if self._door is not None:
            self._door.close()
        return self._hold.made()

    def release(self) -> None:
        """Clean up; blocks on files. A folder that we remove is free to be made again, for who still runs inside too."""
        self._hold.leave()


@dataclass(slots=True)
class Door:
    """The way from the sandbox's own network to our proxy; see ``doorway``."""

    network: Network
    ours: socket.socket
    theirs: socket.socket

    @classmethod
    def at(cls, network: Network) -> Door:
        """Make one."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        return cls(network, ours, theirs)

    def before(self, start: Start) -> Start:
        """Have it opened before the command begins."""
        handle = self.theirs.fileno()
        text = (
            resources.files("agent_tui.machine.sandbox").joinpath("doorway.py").read_text("utf-8")
        )
        opening = (sys.executable, "-I", "-S", "-c", text, str(handle), str(PORT))
        homes = tuple(dict.fromkeys((sys.prefix, sys.base_prefix)))
        return replace(
            start,
            argv=(*opening, *start.argv),
            shows=(*start.shows, *homes),
            fds=(*start.fds, handle),
        )

    def begun(self) -> None:
        """Let go of the child's end."""
        self.theirs.close()

    async def opened(self) -> socket.socket | None:
        """Wait until it is open; None when it never will be."""
        while True:
            try:
                data, handles, _, _ = socket.recv_fds(self.ours, 1, 1)
            except (BlockingIOError, InterruptedError):
                await anyio.wait_readable(self.ours)
                continue
            except OSError:
                return None
            return socket.socket(fileno=handles[0]) if data and handles else None

    def close(self) -> None:
        """Let go of both ends."""
        self.theirs.close()
        self.ours.close()


def proxied() -> dict[str, str]:
    """Give the variables by which programs find our proxy."""
    url = f"http://127.0.0.1:{PORT}"
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
    here = dict.fromkeys(("NO_PROXY", "no_proxy"), "localhost,127.0.0.1,::1")
    return {name: url for one in names for name in (one, one.lower())} | here
