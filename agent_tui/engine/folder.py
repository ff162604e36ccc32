"""The trust in a session's folder: what it brings that could do something, and whether the person agreed to that.

Everything is read as text; nothing that came with the folder is run to find out about it. The answer is given before a
session is opened and holds for what was shown: what has changed since is left out until it is asked again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from agent_tui.agents.files import LeftOut, read_definition
from agent_tui.agents.kinds import agent_files, own_agents, project_agents
from agent_tui.context.memory import MemoryFile
from agent_tui.context.memory import load as load_memory
from agent_tui.engine.place import project_root
from agent_tui.mcp.config import project_entries, project_file
from agent_tui.permissions.git_config import origin_of
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.queries import FolderOffer
from agent_tui.protocol.trust import KIND_WORDS, Brought
from agent_tui.settings.brought import Listing, list_settings, mark_of
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.settings.scripts import scripts_in
from agent_tui.settings.trust import Trust, remember, trust_in

ORDER = tuple(KIND_WORDS)
MAX_NAMED = 6
"""Things that a notice names."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A project's folder as it is now.

    Attributes:
        project: its root.
        items: what it brings, what can do most first.
        files: where that stands, the project's own files among what it would run included.
        trust: what is known of it.
    """

    project: Path
    items: tuple[Brought, ...]
    files: tuple[Path, ...]
    trust: Trust

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks of everything that needs consent."""
        return tuple(item.mark for item in self.items if item.acts)

    @property
    def seen(self) -> str:
        """Stands for the folder and everything in it that needs consent."""
        said = "\n".join((str(self.project), *sorted(set(self.marks))))
        return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()

    @property
    def known(self) -> bool:
        """Whether the person agreed to all of it before, or to a folder around it."""
        marks = self.trust.marks
        return self.trust.covered if marks is None else marks.issuperset(self.marks)


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether a session's folder is trusted.

    Attributes:
        trusted: what it brings takes effect.
        imports: real paths of the files outside it that its memory files may import.
        notices: what was left out, and how to allow it.
    """

    trusted: bool = False
    imports: frozenset[str] = frozenset()
    notices: tuple[str, ...] = ()


def look(options: Options, env: Environment) -> Folder:
    """Find out what the folder of a session brings. Blocks on files.

    Raises:
        SettingsError: a settings file can't be read.
    """
    cwd, sources = Path(options.cwd), options.setting_sources
    project = project_root(cwd, env)
    listing = Listing()
    list_settings(listing, env, project, sources)
    if "project" in sources:
        if not options.tools.strict_servers:
            _list_servers(listing, project)
        _list_agents(listing, env, project)
    memory = load_memory(cwd, env, sources, outside_allowed=lambda _path: True)
    _list_memory(listing, memory.files, project)
    trust = trust_in(env, project)
    known = trust.marks or frozenset[str]()
    items = [replace(item, new=item.mark not in known) for item in listing.items]
    items.sort(key=lambda item: ORDER.index(item.kind))
    return Folder(project, tuple(items), tuple(listing.files), trust)


def settle(folder: Folder, options: Options, env: Environment) -> Standing:
    """Say whether a folder is trusted, and remember that where the person wants it. Blocks on files.

    Raises:
        SettingsError: the trust can't be stored.
    """
    if not folder.marks:
        return Standing()
    answer, seen = options.trust.answer, options.trust.seen
    told = answer != "" and seen in ("", folder.seen)
    yes = told and answer in ("always", "once")
    if told and answer == "always":
        remember(env, folder.project, folder.marks)
    elif folder.known and answer != "no":
        yes = True
        if folder.trust.marks is None:  # from now on a change of it is seen
            with suppress(SettingsError):
                remember(env, folder.project, folder.marks)
    if yes:
        outside = (item.name for item in folder.items if item.kind == "import")
        return Standing(True, frozenset(outside))
    if told and options.interactive:
        return Standing()  # they know, they were asked
    return Standing(notices=(_left_out(folder, changed=answer != "" and not told),))


def offer(options: Options, env: Environment) -> FolderOffer:
    """Say whether the person must be asked before a session is opened, and what they must know. Blocks on files.

    Raises:
        SettingsError: a settings file can't be read.
    """
    folder = look(options, env)
    told = options.trust.answer != "" and options.trust.seen in ("", folder.seen)
    ask = bool(folder.marks) and not told and not folder.known
    if not ask:
        return FolderOffer(project=str(folder.project))
    return FolderOffer(
        True,
        str(folder.project),
        origin_of(folder.project),
        folder.seen,
        folder.trust.marks is not None,
        folder.items,
        tuple(map(str, folder.files)),
    )


def _left_out(folder: Folder, *, changed: bool) -> str:
    """Say what has no effect and how to allow it."""
    items = [item for item in folder.items if item.acts and item.new]
    counted: list[str] = []
    for kind in ORDER:
        names = [item.name for item in items if item.kind == kind]
        if names:
            named = ", ".join(dict.fromkeys(names[:MAX_NAMED]))
            more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
            counted.append(f"{len(names)} {KIND_WORDS[kind][len(names) > 1]} ({named}{more})")
    why = "has changed since you were asked" if changed else "is not trusted"
    if folder.trust.marks is not None and not changed:
        why = "brings something new since it was trusted"
    return (
        f"{folder.project} {why}, so nothing it brings has effect: {', '.join(counted)}. "
        "Start agent-tui there and trust it, or give --trust for one run."
    )


def _list_servers(listing: Listing, project: Path) -> None:
    for name, entry in project_entries(project).items():
        given = cast("JsonObject", entry) if isinstance(entry, dict) else {}
        args: Any = given.get("args")
        words = [given.get("command"), *(cast("list[Any]", args) if isinstance(args, list) else ())]
        line = [word for word in words if isinstance(word, str)]
        scripts = scripts_in(line, project)
        mark = mark_of("server", [name, entry], scripts)
        listing.add(
            Brought("server", name, _run(given, line), mark), project_file(project), scripts
        )


def _run(entry: JsonObject, line: list[str]) -> str:
    """Say what a server's entry starts, or where it is; with everything that goes along."""
    parts = [*line] if line else [str(entry.get("url") or "")]
    for key in ("env", "headers"):
        given = entry.get(key)
        pairs = cast("JsonObject", given) if isinstance(given, dict) else {}
        parts += [f"{name}={value}" for name, value in pairs.items()]
    return " ".join(part for part in parts if part)


def _list_agents(listing: Listing, env: Environment, project: Path) -> None:
    folder = project_agents(project)
    if folder in own_agents(env):
        return
    for path in agent_files(folder):
        read = read_definition(path, "project")
        if read is None or isinstance(read, LeftOut):
            continue
        mode = f"mode {read.permission_mode}" if read.permission_mode else ""
        what = "  ".join(filter(None, (str(path.relative_to(project)), mode)))
        listing.add(Brought("agent", read.name, what, mark_of("agent", read.name, (path,))), path)


def _list_memory(listing: Listing, read: Iterable[MemoryFile], project: Path) -> None:
    for file in read:
        path, shown = Path(file.path), _below(file.path, project)
        if file.outside:
            by = f"named by {_below(file.imported_by, project)}" if file.imported_by else "a link"
            listing.add(Brought("import", file.path, by, mark_of("import", file.path)), path)
        elif file.scope in ("project", "local") and shown != file.path:
            count = len(file.text.splitlines())
            listing.add(
                Brought("memory", shown, "1 line" if count == 1 else f"{count} lines"), path
            )


def _below(path: str, project: Path) -> str:
    """Write a path from the project's root where it is in it."""
    root = project.resolve()
    return str(Path(path).relative_to(root)) if Path(path).is_relative_to(root) else path
