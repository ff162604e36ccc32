"""Names and docstrings: what a reader finds where."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.tree import Source, packages, sources

NO_PLACE = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers", "lib"}
OFFERS_NAMES = {"sdk": "programs import its names from the package, and load what they use"}
NO_CLASS = re.compile(r"(Manager|Helper|Handler|Utils?)$")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def source_of(package: str) -> Source:
    """Give the ``__init__`` file of a package."""
    return next(s for s in sources() if s.where == f"agent_tui/{package}/__init__.py")


@pytest.mark.parametrize("package", packages())
def test_a_package_says_what_it_is_and_what_it_may_import(package: str) -> None:
    told = ast.get_docstring(source_of(package).tree) or ""
    assert re.match(r"Layer \d\w?: " if "/" not in package else r"[A-Z]", told)
    assert re.search(r"May import:\s", told)
    assert re.search(r"Must not:\s", told)


@pytest.mark.parametrize("package", [name for name in packages() if name not in OFFERS_NAMES])
def test_an_init_file_holds_its_docstring_only(package: str) -> None:
    assert len(source_of(package).tree.body) == 1


def imported(package: str) -> set[str]:
    """Give the packages of the house that the modules of a package import."""
    found: set[str] = set()
    for source in sources(f"agent_tui/{package}"):
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            parts = (name.split(".") for name in names)
            found |= {p[1] for p in parts if p[0] == "agent_tui" and len(p) > 1}
    return found - {package}


@pytest.mark.parametrize("package", [name for name in packages() if "/" not in name])
def test_a_package_imports_what_its_docstring_names(package: str) -> None:
    told = ast.get_docstring(source_of(package).tree) or ""
    may = told.partition("May import:")[2].partition("Must not:")[0]
    if "everything below" not in may:
        assert imported(package) <= set(re.findall(r"``(\w+)``", may))


def public(tree: ast.Module) -> Iterator[Definition]:
    """Find what is public: functions, classes, and the methods of public classes."""
    for node in tree.body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from (
                    inner
                    for inner in node.body
                    if isinstance(inner, Definition) and not inner.name.startswith("_")
                    if not any(
                        isinstance(d, ast.Name) and d.id in ("override", "overload")
                        for d in inner.decorator_list
                    )
                )


def test_every_module_and_everything_public_has_a_docstring() -> None:
    silent = [s.where for s in sources() if not ast.get_docstring(s.tree)]
    silent += [
        f"{source.at(node)} {node.name}"
        for source in sources()
        for node in public(source.tree)
        if not ast.get_docstring(node)
    ]
    assert not silent, "\n".join(silent)


def test_no_place_is_named_for_having_no_idea() -> None:
    parts = {part for s in sources() for part in s.where.removesuffix(".py").split("/")}
    assert parts & NO_PLACE == set()


def test_types_are_things_and_functions_say_what_they_do() -> None:
    found = [
        f"{source.at(node)} {node.name}"
        for source in sources()
        for node in ast.walk(source.tree)
        if isinstance(node, Definition)
        if (isinstance(node, ast.ClassDef) and NO_CLASS.search(node.name))
        or re.match(r"_?do_[a-z]", node.name)
    ]
    assert not found, "\n".join(found)
