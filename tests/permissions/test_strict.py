"""What forbids or makes it a question, whatever the mode."""

from __future__ import annotations

import pytest

from agent_tui.permissions.lines import judge_line
from agent_tui.permissions.verdict import MODES, Verdict
from tests.permissions.ground import Project, book


def judged(project: Project, line: str, deny: list[str], ask: list[str] | None = None) -> Verdict:
    return judge_line(
        line, "Bash", book(["Bash"], deny, ask or []), project.ground(), MODES["bypassPermissions"]
    ).verdict


def test_a_rule_for_commands_is_held_against_all_that_runs(project: Project) -> None:
    hit = judged(project, "ls; sudo rm x", ["Bash(rm *)"]).denied
    assert hit is not None
    assert hit.what == "sudo rm x"
    assert judged(project, "ls", ["Bash(rm *)"]).denied is None
    assert judged(project, "make", [], ["Bash(make)"]).asked is not None


def test_rules_of_other_tools_are_not_held_against_commands(project: Project) -> None:
    verdict = judged(project, "make", ["Monitor(make *)", "Agent(make)"])
    assert verdict.denied is None


@pytest.mark.parametrize(
    "line", ["$x", "eval $x", "bash", "echo ${x@P}", "x='a[$(b)]'; echo $((x))"]
)
def test_what_can_t_be_seen_is_doubtful_where_a_rule_forbids_commands(
    project: Project, line: str
) -> None:
    assert judged(project, line, ["Bash(rm *)"]).doubt
    assert not judged(project, line, ["Bash(run_in_background:true)"]).doubt
    assert not judged(project, line, []).doubt


@pytest.mark.parametrize(
    "line",
    [
        "echo > a/b",
        "touch a/b",
        "cp x a/b",
        "cp a a/b",
        "cp b a",
        "mv a/b x",
        "rm a/b",
        "sed -i s/a/b/ a/b",
        "tee a/b",
        "dd of=a/b",
        "sort -o a/b",
        "cd a && touch b",
        "sh -c 'echo > a/b'",
        "find a/b -delete",
        "chmod +x a/b",
        "ls > ./a/../a/b",
    ],
)
def test_rules_against_editing_reach_what_commands_write(project: Project, line: str) -> None:
    assert judged(project, line, ["Edit(a/b)"]).denied is not None


def test_an_edit_that_can_t_be_told_is_doubtful_where_a_rule_forbids_some(project: Project) -> None:
    for line in ("touch $x", "echo > $x", "rm $(a)", "cd $x; touch a"):
        assert judged(project, line, ["Edit(a/b)"]).doubt, line
        assert not judged(project, line, []).doubt, line


def test_protected_names_are_seen_even_where_the_folder_isn_t_known(project: Project) -> None:
    for line in ("touch $x/.git/config", "echo > $x/.bashrc", "cd $x; touch .mcp.json"):
        assert judged(project, line, []).protected, line


def test_effects_say_only_what_is_sure(project: Project) -> None:
    def effect(line: str) -> str:
        return judged(project, line, []).parts[-1].effect

    assert effect("touch a") == "writes a"
    assert effect("rm -r src/../b") == "removes b"
    assert effect("make > /var/x") == "writes /var/x"
    assert effect("make") == ""
    assert effect("touch $x") == ""


def test_removing_under_a_variable_is_critical(project: Project) -> None:
    for line in ('rm -rf "$D"/', "rm -rf $D/*", "rm -rf ${D}/*", "rm -rf $(d)/*"):
        assert judged(project, line, []).critical, line
    for line in ('rm -rf "$D"', "rm -rf $D/x", "rm -rf x/$D/*"):
        assert not judged(project, line, []).critical, line


def test_a_program_named_in_other_languages_makes_it_doubtful(project: Project) -> None:
    for line in (
        "python3 -c 'import os; os.system(\"rm x\")'",
        "python3 <<E\nrm x\nE",
        "PAGER='rm x' man y",
        "docker exec c rm x",
        "tar xf a --to-command='rm x'",
    ):
        assert judged(project, line, ["Bash(rm *)"]).doubt, line
    for line in ("python3 -c 'print(1)'", "python3 rm.py", "docker ps", "grep rm x", "X=--rm make"):
        assert not judged(project, line, ["Bash(rm *)"]).doubt, line


def test_a_file_named_in_other_languages_makes_it_doubtful(project: Project) -> None:
    deny = ["Read(./.env)"]
    assert judged(project, "python3 -c 'open(\".env\")'", deny).doubt
    assert judged(project, "git -c core.pager='cat .env' log", deny).doubt
    assert not judged(project, "python3 -c 'open(\"x\")'", deny).doubt


def test_a_folder_given_to_git_is_where_its_names_count(project: Project) -> None:
    deny = ["Read(./src/.env)"]
    assert judged(project, "git -C src show HEAD:.env", deny).denied is not None


@pytest.mark.parametrize(
    "line",
    [
        "HOME=$PWD; cat ~/kept",
        "CDPATH=src:/etc; cd x && cat kept",
        "find . -exec cat {} +",
        "cat //proc//self/cwd/kept",
        "diff -N . src",
    ],
)
def test_a_file_that_may_not_be_read_is_reached_by_no_detour(project: Project, line: str) -> None:
    (project.folder / "kept").write_text("x")
    verdict = judged(project, line, ["Read(./kept)"])
    assert verdict.denied or verdict.doubt
