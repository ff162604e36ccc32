"""How deep the program stands inside hooks of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine.nesting import HOOK_DEPTH, MOST_DEEP, check_depth, hook_depth
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.paths import Environment


def env(depth: str) -> Environment:
    return Environment({HOOK_DEPTH: depth}, Path("/"))


@pytest.mark.parametrize(
    ("text", "depth"), [("", 0), ("0", 0), ("2", 2), ("x", 0), ("-1", 0), ("9" * 5000, 0)]
)
def test_the_variable_tells(text: str, depth: int) -> None:
    assert hook_depth(env(text)) == depth


def test_a_few_hooks_deep_it_starts_and_then_no_more() -> None:
    check_depth(env(str(MOST_DEEP)))
    with pytest.raises(UsageError, match=HOOK_DEPTH):
        check_depth(env(str(MOST_DEEP + 1)))
