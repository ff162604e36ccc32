"""What is loaded when: module sets of fresh processes, not stopwatches."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.house.tree import ROOT, packages, sources

BELOW: dict[str, set[str]] = {
    "protocol": set(),
    "settings": {"protocol"},
    "model": {"protocol", "settings"},
    "permissions": {"protocol", "settings"},
    "machine": {"protocol", "settings"},
    "tools": {"protocol", "settings"},
    "journal": {"protocol", "settings"},
    "demo": {"protocol", "settings"},
    "hooks": {"protocol", "settings"},
    "agents": {"protocol", "settings"},
    "mcp": {"protocol", "settings", "tools", "machine"},
    "context": {"protocol", "settings", "journal", "model"},
    "view": {"protocol"},
    # machine: only orphans, to end what a dead engine has left
    "link": {"protocol", "settings", "machine"},
    "tui": {"protocol", "settings", "machine", "view", "link"},
    "line": {"protocol", "settings", "machine", "view", "link"},
}
CORE = {
    "protocol",
    "settings",
    "model",
    "permissions",
    "machine",
    "tools",
    "journal",
    "context",
    "hooks",
    "agents",
    "mcp",
}
BELOW["loop"] = CORE
BELOW["engine"] = CORE | {"loop", "view", "link", "demo"}
BELOW["headless"] = BELOW["engine"] | {"engine"}
BELOW["sdk"] = BELOW["engine"] | {"engine"}

HEAVY = {"anthropic", "httpx2", "mcp", "tree_sitter", "PIL", "prompt_toolkit"}
SCREEN = {"textual", "rich", "pygments", "markdown_it"}


def loaded(statement: str) -> set[str]:
    """Run a statement in a new interpreter; give the names of all modules it has loaded."""
    code = f"import sys\n{statement}\nsys.__stdout__.write('\\n@' + __import__('json').dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.rpartition("\n@")[2]))


def tops(modules: set[str]) -> set[str]:
    """Give the top-level names."""
    return {name.partition(".")[0] for name in modules}


def ours(modules: set[str]) -> set[str]:
    """Give the packages of the house among them."""
    return {name.split(".")[1] for name in modules if name.startswith("agent_tui.")}


def test_every_package_is_in_the_table() -> None:
    assert {name for name in packages() if "/" not in name} == BELOW.keys()


@pytest.mark.parametrize("package", sorted(BELOW))
def test_a_whole_package_loads_only_what_is_below_it(package: str) -> None:
    names = [
        s.module for s in sources(f"agent_tui/{package}") if not s.where.endswith("__main__.py")
    ]
    found = ours(loaded(f"import {', '.join(names)}"))
    assert found - {package} <= BELOW[package]


def test_the_version_is_told_before_anything_heavy_is_loaded() -> None:
    plain = loaded("import argparse, json, uuid, pathlib, importlib.resources, dataclasses, typing")
    told = loaded(
        "sys.argv = ['agent-tui', '--version']\n"
        "try:\n from agent_tui.__main__ import entry; entry()\nexcept SystemExit as e: assert not e.code"
    )
    assert ours(told) <= {"__main__", "cli", "protocol", "settings"}
    assert tops(told - plain) & (HEAVY | SCREEN | {"pydantic", "anyio", "asyncio"}) == set()
    assert "agent_tui.settings.schema" not in told


def test_the_package_itself_loads_nothing() -> None:
    assert ours(loaded("import agent_tui; agent_tui.__version__")) == set()


def test_the_screen_is_loaded_without_the_engine() -> None:
    found = loaded("import agent_tui.tui.main, agent_tui.tui.app")
    assert tops(found) & (HEAVY | {"rapidfuzz", "pydantic"}) == set()
    assert "textual" in tops(found)
    assert ours(found) <= BELOW["tui"] | {"tui"}


@pytest.mark.parametrize("module", ["agent_tui.engine.opening", "agent_tui.engine.host"])
def test_the_engine_is_loaded_without_screen_or_api_package(module: str) -> None:
    found = tops(loaded(f"import {module}"))
    assert found & (HEAVY | SCREEN) == set()


def test_print_mode_is_loaded_without_a_screen() -> None:
    assert tops(loaded("import agent_tui.headless.main")) & (HEAVY | SCREEN) == set()
