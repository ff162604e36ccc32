"""A place to really run shell lines in: with a marker program, a secret outside, and nothing that could do harm.

``bwrap`` keeps the rest of the machine and the network out where it is there; the lines that are run are made of harmless
programs in any case, and ``PATH`` holds no others.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.permissions.ground import Project

BASH = shutil.which("bash") or "/bin/bash"
SECONDS = 5
MARKER = "pwn"
CANARY = "canary-7f3a"
_PROGRAMS = (
    "ls cat echo printf find sed awk mawk gawk sort uniq head tail wc grep egrep cut tr tee seq date env timeout nice nohup "
    "stdbuf xargs sh bash dash git test [ true false tar zip unzip gzip zcat man less more file stat du df readlink realpath "
    "basename dirname diff cmp comm join paste fold fmt expand nl tac rev od xxd hexdump strings base64 column jq tree rg "
    "expr id uname hostname md5sum sha1sum sha256sum cksum sum shuf numfmt factor pr tsort ps free locale cal bc split "
    "touch mkdir sleep setsid flock ionice chrt taskset who users groups tty nproc arch uptime pstree w which python3"
)
PROGRAMS = _PROGRAMS.split()
HARMLESS_IN_GIT = ("index", "COMMIT_EDITMSG")


@dataclass(frozen=True)
class Ran:
    """What came of a line: did the marker program run, what was printed, did a file of the project change."""

    marked: bool
    output: str
    changed: bool

    @property
    def leaked(self) -> bool:
        """The secret outside was printed."""
        return CANARY in self.output


class Scratch:
    """A project folder with links that lead out, a home, a marker program."""

    def __init__(self, room: Path) -> None:
        self.room = room
        self.project = Project(room / "project", room / "home")
        self.bin = room / "bin"
        self.outside = room / "outside"
        for folder in (self.project.home, self.bin, self.outside, room / "marks"):
            folder.mkdir(parents=True)
        for name in PROGRAMS:
            if found := shutil.which(name):
                (self.bin / name).symlink_to(os.path.realpath(found))
        marker = self.bin / MARKER
        marker.write_text(f'#!{BASH}\n: > "{room}/marks/{MARKER}"\n')
        marker.chmod(0o755)
        (self.outside / "secret").write_text(f"{CANARY}\n")
        self._lay_out()
        self._before = self._digest()

    def _lay_out(self) -> None:
        folder = self.project.folder
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "src").mkdir(parents=True)
        (folder / "src" / "a.py").write_text("print(1)\nimport os\n")
        (folder / "f").write_text("one\ntwo\nthree 3\n")
        (folder / "g").write_text("two\none,2\n")
        (folder / "j.json").write_text('{"a": [1, 2]}\n')
        (folder / "list").write_text(f"{self.outside}/secret\0")
        (folder / "nasty").write_text(f"a[$({MARKER})]\n")
        (folder / "-n").write_text("x\n")
        (folder / "1").mkdir()
        for name in (MARKER, "ls", "1/ls", "1/cat"):  # who changes PATH by the way finds these
            shutil.copy(self.bin / MARKER, folder / name)
        (folder / "link").symlink_to(self.outside)
        (folder / "hl").symlink_to(self.outside / "secret")
        git = [shutil.which("git") or "git", "-C", str(folder), "-c", "user.name=a", "-c"]
        for words in (["user.email=b", "init", "-q"], ["user.email=b", "add", "f", "src"]):
            subprocess.run([*git, *words], check=False, env=self._env(), capture_output=True)
        subprocess.run(
            [*git, "user.email=b", "commit", "-qm", "x"],
            check=False,
            env=self._env(),
            capture_output=True,
        )

    def _env(self) -> dict[str, str]:
        return {
            "PATH": str(self.bin),
            "HOME": str(self.project.home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "OUT": str(self.outside),
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def run(self, line: str) -> Ran:
        """Run a line as the shell tool would, and look at what is left; the project is then as it was."""
        mark = self.room / "marks" / MARKER
        mark.unlink(missing_ok=True)
        output = self._spawn(line)
        marked = mark.exists()
        changed = self._digest() != self._before
        if changed:
            self._lay_out()
            self._before = self._digest()
        return Ran(marked, output, changed)

    def _spawn(self, line: str) -> str:
        with subprocess.Popen(
            [*_walls(str(self.room)), BASH, "-c", line],
            cwd=self.project.folder,
            env=self._env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
        return output.decode(errors="replace")

    def _digest(self) -> str:
        folder = self.project.folder
        seen = hashlib.sha256()
        for path in sorted(_files(folder)):
            seen.update(f"{path.relative_to(folder)} {path.lstat().st_mode}\n".encode())
            if path.is_file() and not path.is_symlink():
                seen.update(path.read_bytes())
        return seen.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if not (".git" in path.parts and path.name in HARMLESS_IN_GIT):
            yield path


@cache
def _walls(room: str) -> tuple[str, ...]:
    """Give the words that keep a line inside, none where there is no ``bwrap`` that works."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return ()
    walls = (
        *(bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", room, room),
        *("--unshare-all", "--die-with-parent", "--new-session", "--chdir", f"{room}/project"),
    )
    tried = subprocess.run([*walls, BASH, "-c", ":"], capture_output=True, check=False)
    return walls if tried.returncode == 0 else ()
