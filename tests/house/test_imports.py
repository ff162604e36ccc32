"""Imports go the way they should: the contracts of ``pyproject.toml``, kept by import-linter."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from itertools import pairwise
from typing import Any, cast

import pytest

from tests.house.tree import PACKAGE, ROOT


def contracts() -> list[dict[str, Any]]:
    """Read the contracts."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return cast("list[dict[str, Any]]", tomllib.load(file)["tool"]["importlinter"]["contracts"])


@pytest.mark.skipif(
    importlib.util.find_spec("importlinter") is None, reason="needs the extra 'house'"
)
def test_every_contract_is_kept() -> None:
    command = (
        "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    )
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_package_has_its_layer() -> None:
    layers = next(c for c in contracts() if c["type"] == "layers")["layers"]
    placed = {name.strip() for layer in layers for name in layer.split("|")}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert placed == modules | folders


def test_every_tolerated_exception_has_its_reason() -> None:
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    walls = ("-> anthropic", "-> textual", "-> rich", "-> pygments", "-> markdown_it", "-> asyncio")
    bare = [
        line
        for before, line in pairwise(lines)
        if "->" in line and not any(wall in line for wall in walls) and "#" not in line + before
    ]
    assert not bare, "\n".join(["say why, in a comment on the line or the one above", *bare])
