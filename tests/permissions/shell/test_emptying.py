from __future__ import annotations

import pytest

from agent_tui.permissions.policy import Allowed, MustAsk
from agent_tui.permissions.shell.emptying import may_remove_all
from tests.permissions.ground import Project
from tests.permissions.shell.reading import words


@pytest.mark.parametrize(
    "line",
    [
        'rm -rf "$d"/',
        'rm -rf "$d"/*',
        "rm -rf /$d",
        "rm -rf /$(echo usr)",
        "rm -rf /{bin,usr}",
        "rm -rf {/,x}",
        "rm -rf {x,~}",
        "rm -rf {/usr,x}",
        'rm -rf "${d:-/}"',
        "rm -rf ${d:-~}",
        'rm -rf "$(pwd)"',
        "rm -rf `pwd`/*",
        "pushd /; rm -rf *",
        "cd -; rm -rf .",
        'cd "$x"; rm -rf ./*',
    ],
)
def test_what_may_be_everything_is_asked_in_every_mode(project: Project, line: str) -> None:
    decided = project.bash(line, allow=["Bash", "Bash(rm *)"], mode="bypassPermissions")
    assert isinstance(decided, MustAsk)


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf $d",
        "rm -rf build/$d",
        "rm -rf {a,b}",
        "rm -rf $(find . -name x)",
        "rm -rf ${d:-build}",
        "rm -rf src/{a,b}/",
        'cd "$x"; rm -rf build',
        "rm -rf $(pwd)/build",
    ],
)
def test_other_words_that_can_not_be_told_are_the_modes(project: Project, line: str) -> None:
    assert isinstance(project.bash(line, mode="bypassPermissions"), Allowed)


def test_the_reason_names_the_word() -> None:
    assert "/$d" in may_remove_all(words("rm /$d")[1], lost=False)
    assert may_remove_all(words("rm *")[1], lost=True)
    assert not may_remove_all(words("rm *")[1], lost=False)
