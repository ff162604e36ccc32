"""Composed lines, judged and then really run: what ran unasked must have been harmless.

``AGENT_TUI_FUZZ`` sets how many lines of each kind are composed, at random then.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from agent_tui.permissions.policy import Allowed
from tests.permissions.attacks import PREFIXES
from tests.permissions.ground import book
from tests.permissions.shell.composing import attempts, calls, near_misses
from tests.permissions.shell.scratch import BASH, Scratch

pytestmark = pytest.mark.skipif(not Path(BASH).exists(), reason="needs bash")

MANY = int(os.environ.get("AGENT_TUI_FUZZ", "0"))
SETTINGS = settings(
    max_examples=MANY or 60,
    derandomize=not MANY,
    database=None,
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.function_scoped_fixture),
)
OF_SHELLS = (
    "bash",
    "sh",
    "eval",
    "exec",
    "trap",
    "x",
    "f",
    "{",
    "(",
    "!",
    ">",
    "env",
    "xargs",
    "sudo",
)
SENSIBLE = book(text for text in PREFIXES if text not in {f"Bash({name} *)" for name in OF_SHELLS})
BARE = book(["Bash"], ["Bash(pwn *)"])


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    return Scratch(tmp_path_factory.mktemp("scratch"))


@given(line=attempts() | near_misses())
@SETTINGS
def test_what_prefix_rules_let_through_runs_nothing_else(scratch: Scratch, line: str) -> None:
    if isinstance(scratch.project.bash(line, rules=SENSIBLE), Allowed):
        assert not scratch.run(line).marked, line


@given(line=attempts() | near_misses())
@SETTINGS
def test_what_a_rule_forbids_does_not_run_in_the_mode_that_skips_questions(
    scratch: Scratch, line: str
) -> None:
    if isinstance(scratch.project.bash(line, rules=BARE, mode="bypassPermissions"), Allowed):
        assert not scratch.run(line).marked, line


@given(line=attempts() | near_misses() | calls())
@SETTINGS
def test_what_is_taken_for_a_look_changes_and_runs_nothing(scratch: Scratch, line: str) -> None:
    if isinstance(scratch.project.bash(line), Allowed):
        ran = scratch.run(line)
        assert not ran.marked, line
        assert not ran.changed, line
        assert not ran.leaked, line


@pytest.mark.parametrize(
    "line", ["pwn", "echo $(pwn)", "sed '1e pwn' f", "x='a[$(pwn)]'; echo $((x))", "./pwn"]
)
def test_the_marker_program_does_leave_its_mark(scratch: Scratch, line: str) -> None:
    assert scratch.run(line).marked


def test_changes_and_leaks_are_seen(scratch: Scratch) -> None:
    assert scratch.run("echo a > f").changed
    assert scratch.run("touch src/b").changed
    assert scratch.run("cat hl").leaked
    assert scratch.run("cat link/secret").leaked
    ran = scratch.run("cat f; ls; git log; git status; cat ../bin/nothing")
    assert (ran.marked, ran.changed, ran.leaked) == (False, False, False)
    assert "one" in ran.output
    assert "Author" in ran.output
