"""Tests mirror the package: ``agent_tui/loop/turn.py`` has ``tests/loop/test_turn.py``."""

from __future__ import annotations

import ast

from tests.house.tree import ROOT, Source, sources

WITHOUT: dict[str, str] = {
    "agent_tui/__main__.py": "one line; the journeys start it",
    "agent_tui/sdk/__init__.py": "a table; tests/sdk/test_names.py walks it",
    "agent_tui/sdk/types.py": "stands for the package; tests/sdk/test_names.py looks through it",
}
"""Modules with code and no test file of their own, and why."""


def has_logic(source: Source) -> bool:
    """Whether anything is computed: some function does more than stand for others (``...``)."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if any(
                not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) for s in body
            ):
                return True
    return False


def mirror_of(source: Source) -> str:
    """Give the place of the module's tests."""
    folder, _, name = source.where.removeprefix("agent_tui/").rpartition("/")
    return "/".join(filter(None, ("tests", folder, f"test_{name}")))


def test_every_module_with_logic_has_its_tests() -> None:
    missing = [
        f"{source.where} -> {mirror_of(source)}"
        for source in sources()
        if has_logic(source) and source.where not in WITHOUT
        if not (ROOT / mirror_of(source)).is_file()
    ]
    assert not missing, "\n".join(missing)


def test_every_exemption_is_still_needed() -> None:
    here = {source.where: source for source in sources()}
    stale = [
        where for where in WITHOUT if where not in here or (ROOT / mirror_of(here[where])).is_file()
    ]
    assert not stale, "\n".join(stale)


def test_every_test_file_holds_a_test() -> None:
    empty = [
        source.where
        for source in sources("tests")
        if source.where.rpartition("/")[2].startswith("test_")
        if not any(
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.name.startswith("test_")
            for node in ast.walk(source.tree)
        )
    ]
    assert not empty, "\n".join(empty)
