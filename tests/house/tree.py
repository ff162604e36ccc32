"""The source tree as the checks of the house see it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "agent_tui"


@dataclass(frozen=True)
class Source:
    """One Python file: where it is (``agent_tui/loop/turn.py``), its text, its syntax tree."""

    where: str
    text: str
    tree: ast.Module

    @property
    def module(self) -> str:
        """The dotted name it is imported by."""
        return self.where.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def at(self, node: ast.AST) -> str:
        """Name a place for a message: file and line."""
        line = node.lineno if isinstance(node, ast.stmt | ast.expr | ast.excepthandler) else 1
        return f"{self.where}:{line}"


@cache
def sources(folder: str = "agent_tui") -> tuple[Source, ...]:
    """Read every Python file below a folder of the repository."""
    found: list[Source] = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        text = path.read_text("utf-8")
        found.append(Source(path.relative_to(ROOT).as_posix(), text, ast.parse(text)))
    return tuple(found)


def packages() -> tuple[str, ...]:
    """Name the packages of the house by their place below ``agent_tui``, e.g. ``tui/panes``."""
    inits = (s.where for s in sources() if s.where.endswith("/__init__.py"))
    return tuple(
        w.removeprefix("agent_tui/").removesuffix("/__init__.py") for w in inits if w.count("/") > 1
    )


def name_of(node: ast.expr) -> str:
    """Give the last name of what is called: ``start_soon`` of ``self.group.start_soon``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Walk what a function does itself, without the functions and classes inside it."""
    todo = list(ast.iter_child_nodes(function))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(node))
