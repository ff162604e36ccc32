"""Names that mean one tool each, whoever is connected."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.mcp.naming import ambiguous, cleaned, labels, tool_names


def test_names_are_joined_and_cleaned() -> None:
    assert cleaned("my server.é") == "my_server__"
    assert tool_names("srv", ["calendar.list", "plain"]) == {
        "calendar.list": "mcp__srv__calendar_list",
        "plain": "mcp__srv__plain",
    }


def test_a_name_that_is_fine_keeps_it_and_the_other_gets_a_mark() -> None:
    for order in (["a.b", "a_b"], ["a_b", "a.b"]):
        names = tool_names("s", order)
        assert names["a_b"] == "mcp__s__a_b"
        assert re.fullmatch(r"mcp__s__a_b_[0-9a-f]{8}", names["a.b"])


def test_servers_of_one_cleaned_name_are_told_apart() -> None:
    found = labels(["a.b", "a_b"])
    assert found["a.b"] == "a_b"
    assert re.fullmatch(r"a_b_[0-9a-f]{8}", found["a_b"])


def test_a_server_whose_tools_could_be_another_ones_is_known() -> None:
    assert ambiguous("x__y", ["x", "x__y"])
    assert not ambiguous("x", ["x", "x__y"])
    assert not ambiguous("x__y", ["xx", "x__y"])
    assert tool_names("x__y", ["z"], mark_all=True)["z"] != tool_names("x", ["y__z"])["y__z"]


@given(st.lists(st.text(min_size=1, max_size=200), max_size=8))
def test_names_are_legal_and_different(tools: list[str]) -> None:
    names = tool_names("server", tools)
    assert set(names) == set(tools)
    assert len(set(names.values())) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", name) for name in names.values())
    assert tool_names("server", list(reversed(tools))) == names
