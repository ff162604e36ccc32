"""Folders that are lists: every module in one holds exactly one part, named like the module."""

from __future__ import annotations

import ast
import pkgutil
import re
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

from agent_tui.protocol.display import Display
from agent_tui.tui.theme import load_themes
from agent_tui.view import blocks
from tests.house.tree import PACKAGE, ROOT, sources


@dataclass(frozen=True)
class Folder:
    """A folder of parts.

    Attributes:
        where: its place below ``agent_tui``.
        entries: what every part offers, and no other class or function of this kind beside it.
        table: the module that says what a part is and finds them, where it lives among them.
    """

    where: str
    entries: tuple[str, ...]
    table: str = ""

    def parts(self) -> list[str]:
        """Name the modules."""
        found = pkgutil.iter_modules([str(PACKAGE / self.where)])
        return sorted(module.name for module in found if module.name != self.table)


TOOLS = Folder("tools/builtin", ("TOOL",))
COMMANDS = Folder("engine/commands", ("Command",))
SCREEN_COMMANDS = Folder("tui/commands", ("run",), table="stage")
BLOCKS = Folder("tui/blocks", ("draw",), table="drawing")
DISPLAYS = Folder("tui/displays", ("head", "body"), table="drawing")
FOLDERS = (TOOLS, COMMANDS, SCREEN_COMMANDS, BLOCKS, DISPLAYS)
PARTS = [(folder, part) for folder in FOLDERS for part in folder.parts()]


def module_of(folder: Folder, part: str) -> ModuleType:
    """Load a part."""
    return import_module(f"agent_tui.{folder.where.replace('/', '.')}.{part}")


def docstring_of(thing: object) -> str:
    """Give the first line of a docstring."""
    return (thing.__doc__ or "").strip().partition("\n")[0]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.where)
def test_a_folder_holds_parts_only(folder: Folder) -> None:
    assert folder.parts()
    files = {path.stem for path in (PACKAGE / folder.where).glob("*.py")} - {"__init__"}
    assert files == {*folder.parts()} | ({folder.table} if folder.table else set())


@pytest.mark.parametrize(("folder", "part"), PARTS, ids=lambda p: getattr(p, "where", p))
def test_a_part_offers_what_its_folder_promises(folder: Folder, part: str) -> None:
    offered = vars(module_of(folder, part))
    assert set(folder.entries) <= offered.keys()
    assert docstring_of(module_of(folder, part))


@pytest.mark.parametrize("part", TOOLS.parts())
def test_a_tool_module_holds_one_tool_with_its_prompt_beside_it(part: str) -> None:
    module = module_of(TOOLS, part)
    tool: Any = module.TOOL
    own = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
        if isinstance(tool, kind) or hasattr(kind, "read_only")
    ]
    assert own == [type(tool)]
    assert re.sub(r"(?<!^)([A-Z])", r"_\1", tool.name).lower() == part
    assert (PACKAGE / TOOLS.where / f"{part}.md").read_text("utf-8").strip()


@pytest.mark.parametrize("part", COMMANDS.parts())
def test_a_command_module_holds_one_command_with_its_help(part: str) -> None:
    module = module_of(COMMANDS, part)
    command: Any = module.Command
    own = [
        k for k in vars(module).values() if isinstance(k, type) and k.__module__ == module.__name__
    ]
    assert [kind for kind in own if not kind.__name__.startswith("_")] == [command]
    assert docstring_of(command).endswith(".")
    assert isinstance(command.hint, str)


@pytest.mark.parametrize("part", SCREEN_COMMANDS.parts())
def test_a_screen_command_module_holds_one_function(part: str) -> None:
    where = f"agent_tui/{SCREEN_COMMANDS.where}/{part}.py"
    tree = next(source.tree for source in sources() if source.where == where)
    public = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if not node.name.startswith("_")
    ]
    assert public == ["run"]


def test_no_command_has_a_name_twice() -> None:
    names = [*COMMANDS.parts(), *SCREEN_COMMANDS.parts()]
    assert len(names) == len(set(names))


def kinds_of(classes: tuple[Any, ...]) -> set[str]:
    """Give the kinds that classes are told apart by."""
    hints = (get_type_hints(one)["kind"] for one in classes)
    return {str(word) for hint in hints for word in get_args(hint)}


def test_every_display_has_its_renderer_and_every_renderer_its_display() -> None:
    assert {*DISPLAYS.parts()} == kinds_of(get_args(Display)) | {"unknown"}


def test_every_block_has_its_renderer_and_every_renderer_its_block() -> None:
    assert {*BLOCKS.parts()} == kinds_of(get_args(blocks.Block))


def test_every_theme_loads() -> None:
    files = {path.stem for path in (ROOT / "themes").iterdir()}
    themes, problems = load_themes([ROOT / "themes"])
    assert problems == ()
    assert themes.keys() == files
