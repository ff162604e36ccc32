"""The fence on macOS: a seatbelt profile for ``sandbox-exec``.

What is written here follows the documented language of profiles (the last rule that fits decides) and is tested as text;
it has not been run on a Mac. There are no namespaces: a command sees the machine's processes but can signal only those
inside, it keeps the machine's ``/tmp`` read-only and gets a ``TMPDIR`` of its own, and names that aren't there yet are
protected by name, so nothing has to be made beforehand. Requests to named hosts are not let through yet: without our
proxy there is no network.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from agent_tui.machine.sandbox.bounds import Bounds, Layout, Network, Spot
from agent_tui.protocol.ports import Start

SANDBOX_EXEC: Final = "/usr/bin/sandbox-exec"
DEVICES: Final = (
    "/dev/null",
    "/dev/zero",
    "/dev/tty",
    "/dev/dtracehelper",
    "/dev/stdout",
    "/dev/stderr",
)
SERVICES: Final = (
    "com.apple.system.opendirectoryd.libinfo",
    "com.apple.system.opendirectoryd.membership",
    "com.apple.system.logger",
    "com.apple.system.notification_center",
    "com.apple.logd",
    "com.apple.PowerManagement.control",
    "com.apple.SystemConfiguration.configd",
    "com.apple.cfprefsd.daemon",
    "com.apple.cfprefsd.agent",
)
"""What ordinary programs look up; none of it starts anything outside."""

ALWAYS: Final = (
    "(version 1)",
    "(deny default)",
    "(allow process-exec)",
    "(allow process-fork)",
    "(allow process-info* (target same-sandbox))",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow ipc-posix-sem)",
    "(allow ipc-posix-shm)",
    "(allow pseudo-tty)",
    "(allow file-read*)",
    '(allow file-ioctl (literal "/dev/null") (literal "/dev/tty"))',
)


@dataclass(frozen=True, slots=True)
class Seatbelt:
    """The program ``sandbox-exec``."""

    program: str = SANDBOX_EXEC

    @property
    def name(self) -> str:
        """What the fence is called."""
        return "seatbelt"

    @property
    def reports(self) -> bool:
        """It says in words only that it could not be set up."""
        return False

    @property
    def proxies(self) -> bool:
        """There is no way to our proxy."""
        return False

    def inside(self, path: str) -> str:
        """Files of ours stay where they are."""
        return path

    def fence(self, start: Start, layout: Layout, bounds: Bounds, status: int) -> Start:
        """Give what to start instead; blocks on files."""
        temporary = Path(start.own) / "sandbox-tmp"
        temporary.mkdir(mode=0o700, exist_ok=True)
        text = profile(layout, bounds, writes=(str(temporary), *start.writes))
        env = {**start.env, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(temporary))}
        return replace(start, argv=(self.program, "-p", text, *start.argv), env=env)


def profile(layout: Layout, bounds: Bounds, writes: tuple[str, ...] = ()) -> str:
    """Write a profile; ``writes`` are further places that may be written."""
    lines = [*ALWAYS]
    if bounds.files:
        lines += [_rule("allow", "file-write*", "literal", path) for path in DEVICES]
        for spot in layout.spots:
            lines += _of_spot(spot)
        lines += [_rule("deny", "file-write*", "subpath", path) for path in layout.absent]
        lines += [_rule("allow", "file-write*", "subpath", os.path.realpath(p)) for p in writes]
    else:
        lines.append("(allow file-write*)")
    lines += _services(bounds.network)
    lines += _network(bounds.network)
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Write a text as a literal of the language."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _rule(verdict: str, action: str, how: str, path: str) -> str:
    return f"({verdict} {action} ({how} {quoted(path)}))"


def _of_spot(spot: Spot) -> Iterator[str]:
    how = "subpath" if spot.is_dir else "literal"
    match spot.reach:
        case "write":
            yield _rule("allow", "file-read*", how, spot.path)
            yield _rule("allow", "file-write*", how, spot.path)
        case "read":
            yield _rule("allow", "file-read*", how, spot.path)
            yield _rule("deny", "file-write*", how, spot.path)
        case "empty" | "closed":
            yield _rule("deny", "file-read*", how, spot.path)
            yield _rule("deny", "file-write*", how, spot.path)


def _services(network: Network) -> Iterator[str]:
    for name in (*SERVICES, *network.mach_names):
        kind, text = (
            ("global-name-prefix", name[:-1]) if name.endswith("*") else ("global-name", name)
        )
        yield f"(allow mach-lookup ({kind} {quoted(text)}))"


def _network(network: Network) -> Iterator[str]:
    if network.local_binding:
        yield '(allow network-bind (local ip "localhost:*"))'
        yield '(allow network-inbound (local ip "localhost:*"))'
        yield '(allow network-outbound (remote ip "localhost:*"))'
    if network.all_sockets:
        yield "(allow network* (remote unix-socket))"
    for path in network.sockets:
        yield f"(allow network* (remote unix-socket (subpath {quoted(path)})))"
