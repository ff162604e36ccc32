"""Where a path is: inside the working folders, protected, or critical. All by name and real path alike."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from typing import Final

from agent_tui.permissions.match import Anchors, both_paths, inside
from agent_tui.permissions.resolver import Resolver
from agent_tui.permissions.tables import names

PROTECTED_FOLDERS: Final = names(
    ".git .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude .agent-tui"
)
PROTECTED_FILES: Final = names(
    ".gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv "
    ".zlogin .zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs "
    "bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml "
    "lefthook.yaml lefthook.toml lefthook.json .lefthook.yml .lefthook.yaml .lefthook.toml .lefthook.json "
    "lefthook-local.yml .lefthook-local.yml gradle-wrapper.properties maven-wrapper.properties "
    ".devcontainer.json .ripgreprc pyrightconfig.json .mcp.json .claude.json"
)
_UNKNOWABLE: Final = ("cwd", "root", "fd", "task")


@dataclass(frozen=True, slots=True)
class Ground:
    """The folders of a session and the means to look at them.

    Attributes:
        working_dirs: absolute; the session's first folder first.
        cwd: where a command would start, absolute.
        made: real paths of files this session made itself.
    """

    working_dirs: tuple[str, ...]
    cwd: str
    resolver: Resolver
    made: frozenset[str] = frozenset()

    @property
    def project(self) -> str:
        """The session's first folder."""
        return self.working_dirs[0] if self.working_dirs else self.cwd

    @property
    def home(self) -> str:
        """The person's home folder."""
        return self.resolver.home

    @property
    def anchors(self) -> Anchors:
        """Where relative patterns start."""
        return Anchors(self.project, self.cwd, self.home)

    def both(self, path: str) -> tuple[str, str]:
        """Give a path as written and the file it leads to."""
        return both_paths(path, self.resolver)

    def leads_to(self, path: str) -> str:
        """Give the file a path leads to when a link in it or at its end takes it elsewhere, else ""."""
        named, real = self.both(path)
        for folder in map(os.path.normpath, self.working_dirs):
            if _at_or_in(named, folder):
                named = self.resolver.realpath(folder) + named[len(folder) :]
                break
        return "" if named == real else real

    def is_inside(self, path: str) -> bool:
        """Tell whether a path, and the file it leads to, are in a working folder."""
        named, real = self.both(path)
        folders = {os.path.normpath(folder) for folder in self.working_dirs}
        real_folders = {self.resolver.realpath(folder) for folder in folders}
        if not any(_at_or_in(named, folder) for folder in folders | real_folders):
            return False
        return any(
            _at_or_in(real, folder) and not self._kept_out(real, folder) for folder in real_folders
        )

    def _kept_out(self, real: str, folder: str) -> bool:
        """Our own folders (the key is there) don't become readable because the home folder is a working folder."""
        guarded = (self.resolver.realpath(spot) for spot in self.resolver.guarded)
        return any(_at_or_in(real, spot) and not _at_or_in(folder, spot) for spot in guarded)

    def private(self, path: str) -> bool:
        """Tell whether a path is hidden in the home folder (keys, settings of programs), one of our own, or no file."""
        homes = {self.home, self.resolver.realpath(self.home)}
        for spot in set(self.both(path)):
            if spot.startswith(("/proc/", "/dev/")):
                return True
            if any(
                _at_or_in(spot, self.resolver.realpath(guard)) for guard in self.resolver.guarded
            ):
                return True
            for home in homes:
                if _at_or_in(spot, home) and "/." in spot[len(home) :]:
                    return True
        return False

    def protected(self, path: str) -> bool:
        """Tell whether a write there could make other programs run code or change what is allowed."""
        for spot in set(self.both(path)):
            if is_protected_name(spot):
                return True
            if any(
                _at_or_in(spot, folder) or _at_or_in(spot, self.resolver.realpath(folder))
                for folder in (*self.resolver.guarded, *self.resolver.steering)
            ):
                return True
        return False

    def own(self, path: str) -> bool:
        """Tell whether it is in a folder of our own: the settings, the trust, the key."""
        return any(
            _at_or_in(spot, folder) or _at_or_in(spot, self.resolver.realpath(folder))
            for spot in set(self.both(path))
            for folder in self.resolver.guarded
        )

    def holds_protected(self, folder: str) -> bool:
        """Tell whether copying what is in ``folder`` would carry protected names along."""
        return self.resolver.is_dir(folder) and any(
            self.resolver.exists(f"{folder}/{name}")
            for name in sorted(PROTECTED_FOLDERS | PROTECTED_FILES)
        )

    def critical(self, path: str) -> bool:
        """Tell whether removing the path would take away far more than a project's file."""
        return any(self._critical_spot(spot) for spot in set(self.both(path)))

    def critical_glob(self, folder: str, name: str) -> bool:
        """Tell whether removing what the glob ``name`` finds in ``folder`` is as bad as removing the folder."""
        spots = set(self.both(folder))
        if name.strip("*.?/") == "" and any(self._critical_spot(spot) for spot in spots):
            return True
        return any(
            spot == os.path.normpath(extra) or spot == self.resolver.realpath(extra)
            for extra in self.working_dirs[1:]
            for spot in spots
        )

    def unknowable(self, path: str) -> bool:
        """Tell whether a path means something else to the command than to us (``/proc/self/cwd/...``)."""
        return any(_is_of_a_process(spelled) for spelled in (path, os.path.normpath(path)))

    def _critical_spot(self, spot: str) -> bool:
        if spot == "/" or spot.count("/") == 1:
            return True
        homes = {self.home, self.resolver.realpath(self.home)}
        if spot in homes or any(inside(home, spot) for home in homes):
            return True
        here = {self.cwd, *self.working_dirs}
        here |= {self.resolver.realpath(folder) for folder in here}
        return any(folder == spot or inside(folder, spot) for folder in here)


def _is_of_a_process(path: str) -> bool:
    names = [name for name in path.split("/") if name not in ("", ".")]
    if names[:2] == ["dev", "fd"]:
        return True
    return names[:1] == ["proc"] and any(name in _UNKNOWABLE for name in names[2:])


def _at_or_in(path: str, folder: str) -> bool:
    return path == folder or inside(path, folder)


def steers_the_agent(path: str) -> bool:
    """Tell whether a path holds the settings, hooks, servers or sub-agents of the agent itself."""
    names = path.casefold().split("/")
    below = [names[at + 1] for at, name in enumerate(names[:-1]) if name == ".claude"]
    return (
        names[-1] in (".mcp.json", ".claude.json", ".claude", ".agent-tui")
        or ".agent-tui" in names
        or any(name != "worktrees" for name in below)
    )


def is_protected_name(path: str) -> bool:
    """Tell whether a path has a protected name in it."""
    names = path.casefold().split("/")
    if names[-1] in PROTECTED_FILES:
        return True
    for index, name in enumerate(names):
        if name == ".claude" and names[index + 1 : index + 2] == ["worktrees"]:
            continue
        if name in PROTECTED_FOLDERS or names[index : index + 2] == [".config", "git"]:
            return True
    return False
