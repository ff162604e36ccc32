from __future__ import annotations

import warnings

import pytest

from agent_tui.sdk.warned import (
    CanUseToolShadowedWarning,
    UnsupportedOptionWarning,
    shadowed,
    unsupported,
)


def test_a_name_is_told_once() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for name in ("one", "two", "one"):
            unsupported(name, "no reason")
    assert [str(one.message).split()[0] for one in told] == ["one", "two"]
    assert {one.category for one in told} == {UnsupportedOptionWarning}


@pytest.mark.parametrize("rule", ["Bash(ls *)", "", "(x)", "Read(*", "Read(./a)"])
def test_a_rule_for_some_calls_shadows_nothing(rule: str) -> None:
    shadowed(mode=None, allowed_tools=[rule])


def test_a_whole_tool_is_named_once() -> None:
    with pytest.warns(CanUseToolShadowedWarning, match="about Read: "):
        shadowed(mode="default", allowed_tools=["Read", "Read(*)", "Read()"])
