"""Which kinds of sub-agents a session has: a program's own, those of files, the built-in ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from agent_tui.agents.builtin import builtin_definitions
from agent_tui.agents.files import LeftOut, read_definition
from agent_tui.protocol.agents import AgentDefinition, DefinitionSource
from agent_tui.settings.options import SettingSource
from agent_tui.settings.paths import Environment, claude_root, root

MAX_FILES = 500
"""Of one folder no more files are looked at."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds, built-in ones first, then by name; ``notices`` are sentences about what was left out."""

    definitions: tuple[AgentDefinition, ...]
    notices: tuple[str, ...] = ()

    def named(self, name: str) -> AgentDefinition | None:
        """Give the kind of this name, written exactly so: permission rules name kinds too."""
        return next((one for one in self.definitions if one.name == name), None)


def find_kinds(
    env: Environment,
    project: Path,
    program: Iterable[AgentDefinition] = (),
    sources: Collection[SettingSource] = ("user", "project", "local"),
    *,
    trusted: bool = False,
) -> Kinds:
    """Read the files and join everything; of one name the program's counts, then the project's, then ours.

    Args:
        env: where the person's folders are.
        project: the project's folder.
        trusted: the person trusts the project; else none of the files that came with it are taken.
        program: kinds defined by the program, or on the command line.
        sources: whose files to read.
    """
    found = {one.name: one for one in builtin_definitions()}
    order = list(found)
    notices: list[str] = []
    own = own_agents(env)
    if "user" in sources:
        for folder in own:
            read, problems = read_folder(folder, "user")
            found.update(read)
            notices += problems
    theirs = project_agents(project)
    if trusted and "project" in sources and theirs not in own:
        read, problems = read_folder(theirs, "project")
        found.update({name: _asking(one) for name, one in read.items()})
        notices += problems
    found.update({one.name: one for one in program})
    names = [*order, *sorted(found.keys() - set(order))]
    return Kinds(tuple(found[name] for name in names), tuple(notices))


def own_agents(env: Environment) -> tuple[Path, Path]:
    """The person's own folders of sub-agents, what goes before last."""
    return claude_root(env) / "agents", root(env) / "agents"


def project_agents(project: Path) -> Path:
    """The folder of a project's sub-agents."""
    return project / ".claude" / "agents"


def agent_files(folder: Path) -> list[Path]:
    """Give the files that may define sub-agents, in the order in which they count. Blocks."""
    if not folder.is_dir():
        return []
    return sorted(islice(folder.rglob("*.md"), MAX_FILES))


def _asking(definition: AgentDefinition) -> AgentDefinition:
    """A project can't leave approval out for a sub-agent of its own."""
    loose = definition.permission_mode == "bypassPermissions"
    return replace(definition, permission_mode=None) if loose else definition


def read_folder(
    folder: Path, source: DefinitionSource
) -> tuple[dict[str, AgentDefinition], list[str]]:
    """Read a folder's files, sub-folders too; of two with one name the first counts. Blocks."""
    found: dict[str, AgentDefinition] = {}
    notices: list[str] = []
    for path in agent_files(folder):
        read = read_definition(path, source)
        if isinstance(read, LeftOut):
            notices.append(read.text)
        elif read is not None and read.name in found:
            notices.append(f"{path}: left out, {found[read.name].path} is named {read.name} too.")
        elif read is not None:
            found[read.name] = read
    return found, notices
