"""The README tells the truth: its commands, its map, everything a person can name."""

from __future__ import annotations

import re

import pytest

from agent_tui import cli
from agent_tui.engine.command import ALIASES, names
from agent_tui.protocol.messages import PERMISSION_MODES
from agent_tui.settings.schema import KEYS, PERMISSION_KEYS
from agent_tui.tools.registry import builtin_tools
from agent_tui.tui.bindings import USUAL
from agent_tui.tui.commands.stage import screen_commands
from tests.house.tree import ROOT, packages

README = (ROOT / "README.md").read_text("utf-8")
UNMAPPED = {"node_modules", "dist", "build", "snapshot_report"}
"""Folders that come and go and are no part of the source."""


def blocks() -> list[str]:
    """Give the fenced blocks."""
    return re.findall(r"^```\w*\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def mapped() -> set[str]:
    """Read the folders from the map."""
    found: set[str] = set()
    above: list[str] = []
    for line in blocks()[-1].splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        name = line.split()[0]
        if name.endswith("/"):
            above[depth:] = [name.rstrip("/")]
            found.add("/".join(above))
    return found


def test_it_starts_with_two_lines_that_run_the_demo_and_the_tests() -> None:
    demo, tests = blocks()[:2]
    assert demo.count("\n") == tests.count("\n") == 1
    assert demo.endswith("agent-tui --demo\n")
    assert "'.[test]'" in tests
    assert "-m pytest" in tests


def test_ci_runs_the_line_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    pattern = re.search(r"grep -E -m1 '([^']+)' README.md", script)
    assert pattern
    assert [line for line in README.splitlines() if re.search(pattern[1], line)] == [
        blocks()[1].rstrip("\n")
    ]


def test_the_map_equals_the_tree() -> None:
    top = {
        path.name
        for path in ROOT.iterdir()
        if path.is_dir() and not path.name.endswith(".egg-info") and path.name not in UNMAPPED
        if not path.name.startswith((".", "__")) or path.name == ".ci"
    }
    assert {name for name in mapped() if "/" not in name} == top
    assert {name for name in mapped() if name.startswith("agent_tui/")} == {
        f"agent_tui/{package}" for package in packages()
    }
    assert [name for name in mapped() if not (ROOT / name).is_dir()] == []


def test_every_file_it_points_at_is_there() -> None:
    pointed = [target for target in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in target]
    assert pointed
    assert [target for target in pointed if not (ROOT / target).is_file()] == []


def options() -> set[str]:
    """Give the option names a person may use, one spelling each."""
    actions = vars(cli.build_parser())["_actions"]
    return {
        next(s for s in a.option_strings if s.startswith("--")) for a in actions if a.option_strings
    }


@pytest.mark.parametrize("option", sorted(options()))
def test_every_option_is_told(option: str) -> None:
    assert f"`{option}" in README


@pytest.mark.parametrize("name", [*names(), *screen_commands()])
def test_every_command_is_told(name: str) -> None:
    assert f"`/{name}" in README


def test_every_alias_is_told() -> None:
    aliases = {*ALIASES, *(a for command in screen_commands().values() for a in command.aliases)}
    assert [alias for alias in sorted(aliases) if f"`/{alias}`" not in README] == []


def test_every_tool_mode_and_exit_code_is_told() -> None:
    assert [tool.name for tool in builtin_tools() if tool.name not in README] == []
    assert [mode for mode in PERMISSION_MODES if f"`{mode}`" not in README] == []
    assert [code for code in ("0", "1", "2", "130") if f"| {code}" not in README] == []


def test_every_setting_is_told() -> None:
    untold = [key for key in KEYS if f"`{key}`" not in README]
    untold += [key for key in PERMISSION_KEYS if f"`permissions.{key}`" not in README]
    assert untold == []


def test_every_key_of_the_help_screen_is_told() -> None:
    told = README.lower().replace("`", "")
    usual = {"Line editing"}
    keys = {
        key
        for title, rows in USUAL.help()
        if title not in usual
        for row in rows
        for key in row[0].split()
    }
    told_in_pieces = {"\\+enter", "esc"}
    assert [key for key in sorted(keys - told_in_pieces) if key.lower() not in told] == []
