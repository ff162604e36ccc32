"""Variables that say which programs run, and the ways around a plain assignment to set them."""

from __future__ import annotations

import subprocess

import pytest

from agent_tui.permissions.policy import Allowed
from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.steering import may_be_set, steers
from tests.permissions.ground import Project
from tests.permissions.shell.scratch import BASH

# Each makes bash look for ``ls`` in a folder of the line's choice: ``1``, or the current one.
SETTING = [
    "unset PATH",
    "unset -v PATH",
    "((PATH=1))",
    "((PATH[0]=1))",
    "echo $((PATH=1))",
    "echo $[PATH=1]",
    "[[ PATH=1 -eq 1 ]]",
    "for PATH in 1; do :; done",
    "x=(1); echo ${x[PATH=1]}",
    "x[PATH=1]=2",
    "x[PA${y}TH=1]=2",
    "x=([PATH=1]=2)",
    "x=(a [PATH=1]=2)",
    "x=(['PATH=1']=2)",
    "x=([PA''TH=1]=2)",
    "x=([PA${y}TH=1]=2)",
    "x=([y[PATH=1]]=2)",
    "printf '1%n' PATH",
    "printf '1%ln' PATH",
    "printf -- '1%-5n' PATH",
    "printf -v PATH 1",
    "read PATH <<< 1",
    "mapfile -t PATH <<< 1",
    "declare 'PATH=1'",
    "x='y[$(PATH=1 ls)]'; z=([x]=1)",
]


@pytest.fixture
def trap(project: Project) -> Project:
    """A project with programs that are called like a harmless one."""
    for folder in (project.folder, project.folder / "1"):
        folder.mkdir(exist_ok=True)
        (folder / "ls").write_text(f"#!/bin/sh\n: > {project.folder}/marked\n")
        (folder / "ls").chmod(0o755)
    return project


@pytest.mark.parametrize("setting", SETTING)
def test_a_line_that_sets_path_by_the_way_is_asked_and_would_have_run_another_program(
    trap: Project, setting: str
) -> None:
    line = f"{setting}; ls"
    subprocess.run([BASH, "-c", line], cwd=trap.folder, capture_output=True, check=False)
    assert (trap.folder / "marked").exists()
    assert not isinstance(trap.bash(line), Allowed)
    rules = ["Bash(ls)", "Bash(ls *)", "Bash(for *)", "Bash(unset *)", "Bash(read *)"]
    more = ["Bash(printf *)", "Bash(declare *)", "Bash(mapfile *)", "Bash(echo *)", "Bash(x *)"]
    assert not isinstance(trap.bash(line, allow=[*rules, *more]), Allowed)


@pytest.mark.parametrize(
    "line",
    [
        'for FILE in a b; do cat "$FILE"; done',
        "((i++)); echo $((i + COUNT))",
        "[[ -d $HOME/x && $n -gt 3 ]]",
        "unset x FOO; ls",
        "x=([1]=a [2]=b); echo ${x[1]}",
        'x["a b"]=1',
        "printf '%s\\n' name",
    ],
)
def test_other_variables_are_the_lines_own(project: Project, line: str) -> None:
    assert isinstance(project.bash(line), Allowed)


def test_names() -> None:
    assert all(map(steers, ["PATH", "BASH_ENV", "LD_PRELOAD", "GIT_DIR", "PAGER", "HOME", "IFS"]))
    assert not any(map(steers, ["FILE", "path", "COUNT", "PATHS", "MYPATH", "x"]))
    assert may_be_set("$HOME + ${PWD} + PATH=1 + a[B]") == {"PATH", "a", "B"}


def test_the_reason_names_the_variable() -> None:
    assert "PATH" in analyse("for PATH in x; do ls; done").problem
