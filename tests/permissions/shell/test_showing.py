from __future__ import annotations

import pytest

from agent_tui.permissions.policy import Allowed
from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.showing import shown_variable
from tests.permissions.ground import Project


@pytest.mark.parametrize(
    "line",
    [
        '[ -z "$GITHUB_TOKEN" ] && echo missing',
        "[[ -n $API_KEY ]]",
        "echo ${#GITHUB_TOKEN} ${GITHUB_TOKEN:+there}",
        "token=1; echo $token",
        "for token in a b; do echo $token; done",
        "grep '$GITHUB_TOKEN' x",
        "echo $HOME $PATH $USER",
    ],
)
def test_what_shows_none_is_free(project: Project, line: str) -> None:
    assert isinstance(project.bash(line), Allowed)


def test_the_variable_is_named() -> None:
    analysis = analyse("ls; echo a$GITHUB_TOKEN")
    assert [shown_variable(part, analysis) for part in analysis.parts] == ["", "GITHUB_TOKEN"]


def test_a_rule_for_the_command_lets_it_run(project: Project) -> None:
    assert isinstance(project.bash("echo $API_TOKEN", allow=["Bash(echo *)"]), Allowed)
    assert not isinstance(project.bash("echo $API_TOKEN"), Allowed)
