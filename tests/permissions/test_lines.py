"""A line as a whole: parts, redirections, the strictest wins."""

from __future__ import annotations

import pytest

from agent_tui.permissions.lines import judge_line
from agent_tui.permissions.verdict import MODES, Verdict
from agent_tui.protocol.messages import PermissionMode
from tests.permissions.ground import Project, book


def judged(
    project: Project,
    line: str,
    allow: list[str] | None = None,
    mode: PermissionMode = "default",
    deny: list[str] | None = None,
) -> Verdict:
    row = MODES[mode]
    return judge_line(line, "Bash", book(allow or [], deny or []), project.ground(), row).verdict


def test_every_part_must_be_allowed(project: Project) -> None:
    assert judged(project, "make; npm test", ["Bash(make *)", "Bash(npm *)"]).allowed
    assert not judged(project, "make; npm test", ["Bash(make *)"]).allowed


def test_free_means_that_every_part_only_looks(project: Project) -> None:
    assert judged(project, "ls; cat x").free
    assert not judged(project, "ls; make", ["Bash"]).free
    assert not judged(project, "ls > x", ["Bash"]).free


@pytest.mark.parametrize(
    ("line", "allow", "allowed"),
    [
        ("npm test > a", ["Bash(npm test)"], False),
        ("npm test > a", ["Bash(npm test)", "Edit(a)"], True),
        ("npm test > a", ["Bash"], True),
        ("npm test > /var/a", ["Bash"], False),
        ("npm test > /var/a", ["Bash", "Edit(//var/**)"], True),
        ("npm test > /dev/null 2>&1", ["Bash(npm test)"], True),
        ("ls > $x", ["Bash"], False),
        ("ls > >(cat)", [], True),
        ("cat < /etc/hosts", [], False),
        ("cat < /etc/hosts", ["Read(//etc/hosts)"], True),
        ("cat /etc/hosts", ["Read(//etc/hosts)"], True),
        ("cat < a", [], True),
    ],
)
def test_redirections_are_judged_as_files(
    project: Project, line: str, allow: list[str], allowed: bool
) -> None:
    assert judged(project, line, allow).allowed == allowed


def test_a_text_for_a_shell_is_approved_with_the_shell_but_not_past_rules(project: Project) -> None:
    allow = ["Bash(bash -c *)"]
    assert judged(project, "bash -c 'make > x'", allow).allowed
    assert judged(project, "bash -c 'make > x'", allow, deny=["Bash(make *)"]).denied is not None
    assert judged(project, "bash -c 'make > x'", allow, deny=["Edit(x)"]).denied is not None
    assert judged(project, "bash -c 'make > .git/config'", allow).protected


def test_backquotes_need_an_approval_of_their_own(project: Project) -> None:
    assert not judged(project, "pytest `make`", ["Bash(pytest *)"]).allowed
    assert judged(project, "pytest `make`", ["Bash(pytest *)", "Bash(make *)"]).allowed


def test_the_first_reason_is_given(project: Project) -> None:
    verdict = judged(project, "ls; PATH=/x make; touch x")
    assert "It sets PATH" in verdict.why
    assert [part.allowed for part in verdict.parts] == [True, False, False]


def test_an_empty_line_is_nothing(project: Project) -> None:
    assert judged(project, "").free
    assert judged(project, "# only a note").free


def test_marks_are_placed_in_the_line(project: Project) -> None:
    line = "echo ä; sudo rm -rf x"
    verdict = judged(project, line)
    assert [line[m.start : m.end] for m in verdict.danger] == ["sudo", "rm -rf"]
    assert verdict.default_to_no


def test_what_a_program_that_looks_writes_needs_an_approval_of_its_own(project: Project) -> None:
    allow = ["Bash(git log *)", "Bash(sort *)", "Bash(sed *)"]
    for line in ("git log --output=x", "sort -o x y", "sed 'w x' y"):
        assert not judged(project, line, allow).allowed, line
        assert judged(project, line, [*allow, "Edit(x)"]).allowed, line
        assert judged(project, line, allow, mode="acceptEdits").allowed, line
    assert judged(project, "git log --output=.git/x", allow, mode="acceptEdits").protected


def test_only_a_rule_for_just_that_covers_what_may_do_more(project: Project) -> None:
    for line, prefix in (
        ("tar xf a --to-command=x", "Bash(tar *)"),
        ("git -c a.b=c log", "Bash(git *)"),
        ("echo ${x@P}", "Bash(echo *)"),
        ("echo a | xargs git log", "Bash(git log *)"),
        ("git -C /elsewhere log", "Bash(git *)"),
    ):
        assert not judged(project, line, [prefix]).allowed, line
    assert judged(project, "tar xf a --to-command=x", ["Bash(tar xf a --to-command=x)"]).allowed
    assert judged(project, "git -C /x log", ["Bash(git -C /x log)"]).allowed
    assert judged(project, "git -C src log", ["Bash(git -C *)"]).allowed
