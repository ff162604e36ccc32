from __future__ import annotations

import pytest

from agent_tui.permissions.shell.analysis import analyse
from agent_tui.permissions.shell.turning import may_turn


@pytest.mark.parametrize(
    ("line", "turns"),
    [
        ("a -x", False),
        ("a x", False),
        ("a $x", True),
        ('a "$x"', True),
        ('a x"$y"', False),
        ("a x$y", True),
        ("a *", True),
        ("a x*", False),
        ("a {x,-y}", True),
        ("a $(x)", True),
        ('a "$(x)"', True),
        ("a ~/x", False),
        ("a <(x)", False),
        ("a $((1))", False),
        ('a "$HOME"', False),
        ("a $PWD/x", False),
        ("x=b; a $x", False),
        ("x=-b; a $x", True),
        ('x=-b; a "$x"', True),
        ("x=; a $x-b", True),
        ('x="b -c"; a $x', True),
        ('x="b -c"; a "$x"', False),
        ('x=b; y=$x; a "$y"', False),
        ("x=$(b); a $x", True),
        ("for x in b c; do a $x; done", False),
        ("for x in *.c; do a $x; done", True),
        ("for x in b -c; do a $x; done", True),
        ("IFS=b; x=ab-c; a $x", True),
        ("read x; a $x", True),
        ("HOME=-x; a $HOME", True),
    ],
)
def test_words_that_may_become_options(line: str, turns: bool) -> None:
    analysis = analyse(line)
    assert not analysis.problem
    part = next(part for part in analysis.parts if part.words and part.words[0].is_text("a"))
    assert may_turn(part.words[1], analysis.variables) == turns
