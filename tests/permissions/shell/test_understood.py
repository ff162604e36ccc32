from __future__ import annotations

import pytest

from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.understood import not_understood


@pytest.mark.parametrize(
    "line",
    [
        "ls -la | grep x",
        "cat $x",
        "timeout 5 pytest $x",
        'find . -name "$x"',
        "find . -exec rm {} \\;",
        "bash -c 'ls; make'",
        "for f in a b; do tar xf $f; done",
        'rm -rf "$dir"/*',
        "sort a | git log",
    ],
)
def test_what_runs_is_sure(line: str) -> None:
    assert not_understood(analyse(line)) == ""


@pytest.mark.parametrize(
    "line",
    [
        "ls <> x",
        "$x y",
        "eval $x",
        "echo ${x@P}",
        "sudo --odd rm x",
        "find $x -name y",
        'find . "$x"',
        "tar xf $x",
        'sed "$x" y',
        "alias a=b",
        "cat x | sh",
        "ls\rpwn",
        "cat <<E; rm x\na\nE",
    ],
)
def test_what_runs_is_not(line: str) -> None:
    assert not_understood(analyse(line))
