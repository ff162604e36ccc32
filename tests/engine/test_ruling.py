"""The rules a session begins with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.engine.ruling import flag_anchor, flag_rules, rules_in_force, working_folder
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.options import Options, PermissionOptions
from agent_tui.settings.paths import Environment
from agent_tui.settings.rule_entries import RuleExample, SourcedRule


@pytest.fixture
def options(tmp_path: Path) -> Options:
    permissions = PermissionOptions(allowed_tools=("Bash(ls)",), disallowed_tools=("Write",))
    return Options(cwd=str(tmp_path), permissions=permissions)


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    return Environment({}, tmp_path / "home")


def test_rules_of_settings_and_of_the_command_line_are_one_book(
    options: Options, env: Environment
) -> None:
    book = rules_in_force(options, env, [SourcedRule("deny", "Bash(rm *)", "user", "/s.json", 2)])
    assert [str(rule) for rule in book.allow] == ["Bash(ls)"]
    assert [(str(r), str(r.source)) for r in book.deny] == [
        ("Write", "the command line"),
        ("Bash(rm *)", "/s.json:2"),
    ]
    assert all(rule.anchor == options.cwd for rule in flag_rules(options))


def test_a_restriction_that_cant_be_used_stops_the_start(
    options: Options, env: Environment
) -> None:
    with pytest.raises(SettingsError, match=r"^/s\.json:2: "):
        rules_in_force(options, env, [SourcedRule("deny", "Bash(", "user", "/s.json", 2)])
    broken = replace(options, permissions=PermissionOptions(disallowed_tools=("Bash(",)))
    with pytest.raises(UsageError, match="--disallowedTools"):
        rules_in_force(broken, env, [])


def test_examples_are_tried_in_all_working_folders(options: Options, env: Environment) -> None:
    example = RuleExample("cat /elsewhere/x && make", True, 4)
    rule = SourcedRule("allow", "Bash(make)", "user", "/s.json", 2, "", (example,))
    [problem] = rules_in_force(options, env, [rule]).problems
    assert problem.startswith("/s.json:4: the allow rule 'Bash(make)' is left out")
    book = rules_in_force(options, env, [rule], [Path("/elsewhere")])
    assert not book.problems
    assert [str(rule) for rule in book.allow] == ["Bash(ls)", "Bash(make)"]


def test_a_slash_in_settings_of_the_command_line_is_the_folder_of_their_file(
    options: Options,
) -> None:
    assert flag_anchor(options) == Path(options.cwd)
    assert flag_anchor(replace(options, settings_path="/x/s.json")) == Path("/x")


def test_further_folders_may_be_in_the_home_or_beside_the_first(
    options: Options, env: Environment
) -> None:
    cwd = Path(options.cwd)
    assert working_folder("/abs", cwd, env) == Path("/abs")
    assert working_folder("~/docs", cwd, env) == env.home / "docs"
    assert working_folder("~", cwd, env) == env.home
    assert working_folder("../docs", cwd, env) == cwd / "../docs"
