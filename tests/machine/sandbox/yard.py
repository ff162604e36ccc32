"""A place to try the sandbox in: a home with secrets, a project, a shell; as whoever runs the tests, or as another user."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from agent_tui.machine.sandbox.bounds import Bounds, Layout
from agent_tui.machine.sandbox.bubblewrap import Bubblewrap, find_bubblewrap
from agent_tui.machine.sandbox.sandbox import Choice, CommandSandbox, Fence
from agent_tui.machine.shell import RealShell
from agent_tui.permissions.places import PROTECTED_FILES, PROTECTED_FOLDERS
from agent_tui.protocol.ports import Captured, ShellCommand, ShellResult, Start
from agent_tui.settings.paths import Environment

PATH = "/usr/local/bin:/usr/bin:/bin"
SOMEBODY = 12_345
"""A user that nobody is."""


def bubblewrap() -> Bubblewrap:
    """The real program; what can't be tried without it is skipped and says so."""
    found = find_bubblewrap(PATH, Path("/nowhere"))
    if found is None:
        pytest.skip("needs bubblewrap (the program bwrap)")
    if why := found.probe():
        pytest.skip(f"bubblewrap doesn't work here: {why}")
    return found


@dataclass(frozen=True)
class AsSomebody:
    """A fence whose commands run as an ordinary user, whoever runs the tests."""

    fence_: Fence

    name = "bubblewrap"
    reports = True
    proxies = True

    def inside(self, path: str) -> str:
        return self.fence_.inside(path)

    def fence(self, start: Start, layout: Layout, bounds: Bounds, status: int) -> Start:
        given = self.fence_.fence(start, layout, bounds, status)
        give_away(Path(start.own))
        who = (
            "--reuid",
            str(SOMEBODY),
            "--regid",
            str(SOMEBODY),
            "--clear-groups",
            "--inh-caps=-all",
        )
        return replace(given, argv=("setpriv", *who, *given.argv))


def give_away(folder: Path) -> None:
    """Make everything in a folder that user's."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, SOMEBODY, SOMEBODY, follow_symlinks=False)


async def quiet(_: Captured) -> None:
    """Tell nobody."""


@dataclass
class Yard:
    """A home, a project in it, and what bounds commands there."""

    home: Path
    project: Path
    fence: Fence
    bounds: Bounds
    choice: Choice = field(default_factory=Choice)
    shells: list[RealShell] = field(default_factory=list[RealShell])

    @property
    def env(self) -> Environment:
        return Environment({"PATH": PATH, "HOME": str(self.home), "LANG": "C.UTF-8"}, self.home)

    @property
    def sandbox(self) -> CommandSandbox:
        return CommandSandbox(self.fence, lambda: self.bounds, self.choice)

    def shell(self, sandbox: CommandSandbox | None = None) -> RealShell:
        """Make a shell that runs in the sandbox."""
        shell = RealShell(self.env, self.project, sandbox=sandbox or self.sandbox)
        self.shells.append(shell)
        return shell

    async def run(
        self, line: str, shell: RealShell | None = None, timeout_ms: int = 20_000, **more: object
    ) -> ShellResult:
        """Run a line in the project."""
        self.own()
        command = replace(self.command(line, timeout_ms), **more)  # pyright: ignore[reportArgumentType]
        return await (shell or self.shell()).run(command, quiet)

    def command(self, line: str, timeout_ms: int = 20_000) -> ShellCommand:
        """Say what is to be run."""
        spill = str(self.home / "spill")
        return ShellCommand(line, timeout_ms, "c1", spill, (str(self.project),))

    async def says(self, line: str) -> str:
        """Run a line and give its output."""
        return (await self.run(line)).output.head

    def own(self) -> None:
        """Let the files be those of the user that commands run as."""
        if isinstance(self.fence, AsSomebody):
            give_away(self.home)

    def write(self, name: str, text: str = "") -> Path:
        """Write a file of the project."""
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


def yard_in(folder: Path, fence: Fence) -> Yard:
    """Lay one out; the folder must be open to everybody."""
    home = folder / "home"
    project = home / "project"
    project.mkdir(parents=True)
    for name, text in ((".ssh/id_test", "KEY"), (".netrc", "LOGIN"), ("notes.txt", "note\n")):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text)
    bounds = Bounds(
        str(home),
        secrets=(str(home / ".ssh"), str(home / ".netrc"), str(home / ".aws")),
        allow_read=(str(home),),  # where it lies in /tmp, a command would see another
        protected_folders=PROTECTED_FOLDERS,
        protected_files=PROTECTED_FILES,
    )
    return Yard(home, project, fence, bounds)


def open_folder(name: str) -> Iterator[Path]:
    """Give a folder that every user may enter, removed at the end."""
    place = next((p for p in ("/srv", "/opt") if os.access(p, os.W_OK)), None)
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=place))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
