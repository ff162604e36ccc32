from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tui.engine.hook_rules import HookRules, rule_book
from agent_tui.permissions.resolver import RealResolver
from agent_tui.tools.base import ToolSet
from agent_tui.tools.builtin.bash import Bash
from agent_tui.tools.builtin.edit import Edit
from agent_tui.tools.builtin.read import Read
from agent_tui.tools.builtin.write import Write


@pytest.fixture
def rules(tmp_path: Path) -> HookRules:
    tools = ToolSet.of((Bash(), Edit(), Read(), Write()))
    resolver = RealResolver(str(tmp_path))
    return HookRules(tools, (tmp_path,), lambda: str(tmp_path), resolver)


@pytest.mark.parametrize(
    ("rule", "line", "covers"),
    [
        ("Bash(git *)", "git push", True),
        ("Bash(git *)", "ls && git push", True),
        ("Bash(git *)", "echo $(git push)", True),
        ("Bash(git *)", "echo `git push`", True),
        ("Bash(git *)", "A=1 git push", True),
        ("Bash(git *)", "ls", False),
        ("Bash(git *)", "echo git", False),
        ("Bash(git *)", "rm -rf /", False),
        ("Bash(git *)", "ls 'unclosed", True),
        ("Bash", "ls", True),
        ("Edit(*.ts)", "ls", False),
        ("no rule at all(", "ls", True),
    ],
)
def test_a_shell_line_fits_by_any_of_its_parts(
    rules: HookRules, rule: str, line: str, covers: bool
) -> None:
    assert rules.covers(rule, "Bash", {"command": line}) is covers


@pytest.mark.parametrize(
    ("rule", "tool", "given", "covers"),
    [
        ("Edit(*.ts)", "Edit", {"file_path": "a.ts", "old_string": "a", "new_string": "b"}, True),
        ("Edit(*.ts)", "Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}, False),
        ("Edit(src/**)", "Write", {"file_path": "src/a.ts", "content": "x"}, True),
        ("Read(.env)", "Read", {"file_path": "sub/.env"}, True),
        ("Read(.env)", "Read", {"nonsense": 1}, True),
        ("mcp__a__*", "mcp__a__b", {}, True),
        ("mcp__a__*", "mcp__c__b", {}, False),
    ],
)
def test_files_and_names_fit_as_rules_do(
    rules: HookRules, rule: str, tool: str, given: dict[str, Any], covers: bool
) -> None:
    assert rules.covers(rule, tool, given) is covers


def test_what_is_no_rule_is_known_as_such() -> None:
    assert rule_book("Bash(git *)", "/").problems == ()
    assert rule_book("no rule(", "/").problems
