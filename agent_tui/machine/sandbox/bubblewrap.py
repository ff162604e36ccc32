"""The fence on Linux: bubblewrap, namespaces of its own for every command.

A command gets the machine's file system read-only with its own folders writable on top, a ``/tmp`` and ``/run`` of its own,
no network but perhaps our proxy, processes of its own, no capabilities and no way to get any.

``--die-with-parent`` is left out on purpose. It would end what a command leaves in the background as soon as the
command itself ends, without asking it. What a command started is ended as without a sandbox: by its session, by the mark
in its environment, which is seen through the namespace, and all of it at once when the namespace's first process goes.
``--new-session`` is left out too: the command has a session of its own already, so that a signal reaches all of it, and
the terminals of the machine aren't in its ``/dev``.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

from agent_tui.machine.environment import BARE
from agent_tui.machine.sandbox.bounds import PRIVATE, Bounds, Cover, Layout, Spot
from agent_tui.machine.sandbox.sockets import sockets_in_reach
from agent_tui.protocol.ports import Start

OURS: Final = "/run/agent-tui"
"""Where a command finds the files of ours that it needs."""

RESOLVER: Final = ("/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf")
PROBE_SECONDS: Final = 10


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """The program ``bwrap``; ``disables`` says that it can forbid further user namespaces."""

    program: str
    disables: bool = True

    @property
    def name(self) -> str:
        """What the fence is called."""
        return "bubblewrap"

    @property
    def reports(self) -> bool:
        """It says when a command began, by the descriptor it is given."""
        return True

    @property
    def proxies(self) -> bool:
        """Our proxy can be reached from inside."""
        return True

    def probe(self) -> str:
        """Try it once; blocks. Gives why it doesn't work, empty when it does."""
        tried = [
            self.program,
            *self._apart(),
            "--ro-bind",
            "/",
            "/",
            "--proc",
            "/proc",
            "--",
            "/bin/true",
        ]
        try:
            done = subprocess.run(
                tried,
                env=BARE,
                capture_output=True,
                timeout=PROBE_SECONDS,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{self.program} can't be run ({error})"
        if done.returncode == 0:
            return ""
        said = done.stderr.decode("utf-8", "replace").strip() or f"it ended with {done.returncode}"
        return explained(said)

    def inside(self, path: str) -> str:
        """Say where a command finds a file of ours."""
        return f"{OURS}/{Path(path).name}"

    def fence(self, start: Start, layout: Layout, bounds: Bounds, status: int) -> Start:
        """Give what to start instead; blocks on files. ``status`` is the descriptor that bwrap reports to."""
        own = _Own.at(Path(start.own))
        argv = [self.program, *self._apart(), "--json-status-fd", str(status)]
        argv += ["--ro-bind" if bounds.files else "--bind", "/", "/", "--dev", "/dev"]
        argv += ["--ro-bind", "/proc", "/proc"] if bounds.weaker else ["--proc", "/proc"]
        if bounds.files:
            argv += _private(own)
        argv += ["--tmpfs", "/run", *_shown(RESOLVER)]
        argv += _mounts(layout, own)
        argv += _sockets(layout, bounds, own)
        argv += ["--perms", "0755", "--dir", OURS]
        for path in start.reads:
            argv += ["--ro-bind-try", path, self.inside(path)]
        for path in start.writes:
            argv += ["--bind", path, self.inside(path)]
        argv += ["--remount-ro", "/run", "--chdir", start.cwd, "--", *start.argv]
        env = {name: self._moved(value, start) for name, value in start.env.items()}
        if bounds.files:
            env |= dict.fromkeys(("TMPDIR", "TMP", "TEMP"), PRIVATE[0])
        return replace(start, argv=tuple(argv), env=env, fds=(*start.fds, status))

    def _moved(self, value: str, start: Start) -> str:
        """Give a variable's value as it reads inside: a file of ours is elsewhere there."""
        return self.inside(value) if value in (*start.reads, *start.writes) else value

    def _apart(self) -> list[str]:
        """Give the options that set a command apart from the machine."""
        apart = ["--unshare-all", "--unshare-user", "--cap-drop", "ALL"]
        return [*apart, "--disable-userns"] if self.disables else apart


@dataclass(frozen=True, slots=True)
class _Own:
    """Folders and files of the session that are shown to commands in place of the machine's."""

    temporary: tuple[Path, ...]
    empty: Path
    closed: Path

    @classmethod
    def at(cls, folder: Path) -> _Own:
        """Make them where they aren't there yet."""
        own = cls(
            tuple(folder / f"sandbox{place.replace('/', '-')}" for place in PRIVATE),
            folder / "sandbox-empty",
            folder / "sandbox-closed",
        )
        for place in own.temporary:
            place.mkdir(mode=0o700, exist_ok=True)
        for file, mode in ((own.empty, 0o444), (own.closed, 0o000)):
            if not file.exists():
                file.touch(mode)
                file.chmod(mode)
        return own


def _private(own: _Own) -> Iterator[str]:
    for place, folder in zip(PRIVATE, own.temporary, strict=True):
        if Path(place).is_dir() and not Path(place).is_symlink():
            yield from ("--bind", str(folder), place)


def _shown(paths: tuple[str, ...]) -> Iterator[str]:
    for path in paths:
        yield from ("--ro-bind-try", path, path)


def _mounts(layout: Layout, own: _Own) -> Iterator[str]:
    """Mount every spot, a folder before what is in it; closed folders are made read-only when all is mounted."""
    closed: list[str] = []
    for spot in layout.spots:
        match spot.reach:
            case "write":
                yield from ("--bind", spot.path, spot.path)
            case "read":
                yield from ("--ro-bind", spot.path, spot.path)
            case _ if spot.is_dir:
                open_below = any(other.path.startswith(f"{spot.path}/") for other in layout.spots)
                yield from ("--perms", "0755" if open_below else "0000", "--tmpfs", spot.path)
                closed.append(spot.path)
            case "empty":
                yield from ("--ro-bind", str(own.empty), spot.path)
            case "closed":
                yield from ("--ro-bind", str(own.closed), spot.path)
    for path in closed:
        yield from ("--remount-ro", path)


def _sockets(layout: Layout, bounds: Bounds, own: _Own) -> Iterator[str]:
    """Cover sockets of other programs: through one a command could have something done outside."""
    network = bounds.network
    if network.all_sockets:
        return
    cover = Cover()
    for place in ("/run", *(PRIVATE if bounds.files else ())):
        cover.put(Spot(place, "empty", is_dir=True))
    for spot in layout.spots:
        cover.put(spot)
    for path in sockets_in_reach():
        spot = cover.at(path)
        if path not in network.sockets and (spot is None or spot.reach in ("write", "read")):
            yield from ("--ro-bind-try", str(own.empty), path)
    for path in network.sockets:
        yield from ("--bind-try", path, path)


@dataclass(frozen=True, slots=True)
class Report:
    """What bwrap said of a command: the id of the namespace's first process, and whether the command ever began."""

    inner: int = 0
    began: bool = False

    @classmethod
    def read(cls, text: str) -> Report:
        """Read its lines of JSON; what isn't understood counts for nothing."""
        report = cls()
        for line in text.splitlines():
            try:
                found: object = json.loads(line)
            except ValueError:
                continue
            if isinstance(found, dict):
                said = cast("dict[str, object]", found)
                child = said.get("child-pid")
                report = cls(
                    child if isinstance(child, int) else report.inner,
                    report.began or "exit-code" in said,
                )
        return report


def explained(said: str) -> str:
    """Add to bwrap's own words what to do about it."""
    lowered = said.lower()
    if "namespace" in lowered or "uid map" in lowered or "operation not permitted" in lowered:
        return (
            f"{said}. The system keeps programs from making user namespaces (kernel.unprivileged_userns_clone, "
            "user.max_user_namespaces, or AppArmor's kernel.apparmor_restrict_unprivileged_userns)"
        )
    if "proc" in lowered:
        return f"{said}. In a container sandbox.enableWeakerNestedSandbox may help"
    return said


def find_bubblewrap(path: str, avoid: Path) -> Bubblewrap | None:
    """Look for the program in these folders, parted by colons; blocks. One that stands in ``avoid`` is not trusted."""
    for folder in path.split(os.pathsep):
        program = Path(folder, "bwrap")
        trusted = folder.startswith("/") and not program.resolve().is_relative_to(avoid.resolve())
        if trusted and os.access(program, os.X_OK):
            return Bubblewrap(str(program), _disables(str(program)))
    return None


def _disables(program: str) -> bool:
    try:
        done = subprocess.run(
            [program, "--help"],
            env=BARE,
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return True
    return b"--disable-userns" in done.stdout + done.stderr
