"""What is made of real shell lines: how many are understood, and which run unasked."""

from __future__ import annotations

import pytest

from agent_tui.permissions.policy import only_looks
from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.understood import not_understood
from tests.permissions.ground import Project
from tests.permissions.shell.corpus import DATA, read, sample, whole

UNASKED = set(read(DATA / "unasked-lines.txt"))
"""Every line of the whole that runs unasked in an empty project. Each was read: none of them writes, deletes, runs what
it doesn't name, or reaches the network. Who widens a table reads the lines that this adds."""


def lines_of(which: str) -> list[str]:
    lines = sample() if which == "sample" else whole()
    if not lines:
        pytest.skip("the whole corpus isn't here; AGENT_TUI_SHELL_LINES may name it")
    return lines


@pytest.mark.parametrize("which", ["sample", "whole"])
def test_nine_of_ten_real_lines_are_understood(which: str) -> None:
    lines = lines_of(which)
    understood = sum(not not_understood(analyse(line)) for line in lines)
    share = understood / len(lines)
    print(f"\n{which}: {understood} of {len(lines)} lines are understood ({share:.1%})")
    assert share > 0.9


@pytest.mark.parametrize("which", ["sample", "whole"])
def test_just_those_run_unasked_that_were_read(which: str, project: Project) -> None:
    lines = set(lines_of(which))
    found = {
        line
        for line in lines
        if only_looks(line, project.folder, (project.folder,), project.resolver)
    }
    assert found - UNASKED == set()
    assert (UNASKED & lines) - found == set()
    assert which == "sample" or found == UNASKED


def test_the_sample_is_spread_over_the_whole() -> None:
    lines = sample()
    assert len(lines) > 450
    assert len({line.split()[0] for line in lines}) > 60
    if whole():
        assert set(lines) <= set(whole())


def test_the_licence_stands_beside_the_sample() -> None:
    assert "MIT License" in (DATA / "shell-lines.LICENSE").read_text("utf-8")
