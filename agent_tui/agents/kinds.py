"""Which kinds of sub-agents a session has: a program's own, those of files, the built-in ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
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
) -> Kinds:
    """Read the files and join everything; of one name the program's counts, then ours, then the ecosystem's.

    Args:
        env: where the person's folders are.
        project: the project's folder. What it brings came with a clone, so until folders can be trusted none of it
            is taken; a notice says so.
        program: kinds defined by the program, or on the command line.
        sources: whose files to read.
    """
    found = {one.name: one for one in builtin_definitions()}
    order = list(found)
    notices: list[str] = []
    own = (claude_root(env) / "agents", root(env) / "agents")
    if "user" in sources:
        for folder in own:
            read, problems = read_folder(folder, "user")
            found.update(read)
            notices += problems
    theirs = project / ".claude" / "agents"
    if "project" in sources and theirs not in own and (count := _count(theirs)):
        files = "1 sub-agent is" if count == 1 else f"{count} sub-agents are"
        notices.append(
            f"{theirs}: {files} ignored, because this folder can't be trusted yet; "
            f"put your own into {own[0]}."
        )
    found.update({one.name: one for one in program})
    names = [*order, *sorted(found.keys() - set(order))]
    return Kinds(tuple(found[name] for name in names), tuple(notices))


def read_folder(
    folder: Path, source: DefinitionSource
) -> tuple[dict[str, AgentDefinition], list[str]]:
    """Read a folder's files, sub-folders too; of two with one name the first counts. Blocks."""
    found: dict[str, AgentDefinition] = {}
    notices: list[str] = []
    for path in _files(folder):
        read = read_definition(path, source)
        if isinstance(read, LeftOut):
            notices.append(read.text)
        elif read is not None and read.name in found:
            notices.append(f"{path}: left out, {found[read.name].path} is named {read.name} too.")
        elif read is not None:
            found[read.name] = read
    return found, notices


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(islice(folder.rglob("*.md"), MAX_FILES))


def _count(folder: Path) -> int:
    return len(_files(folder))
