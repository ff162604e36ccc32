from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tools.wire_names import LONGEST, wire_names

NAMES = st.one_of(
    st.sampled_from(["Read", "a.b", "a b", "a_b", "", "é", "n" * 140, "n" * 139 + "!", "Read "]),
    st.text(max_size=150),
)


@given(st.lists(NAMES, unique=True, max_size=12))
def test_every_name_gets_a_legal_one_of_its_own(names: list[str]) -> None:
    wire = wire_names(names)
    assert list(wire) == names
    assert len(set(wire.values())) == len(names)
    assert all(re.fullmatch(rf"[a-zA-Z0-9_-]{{1,{LONGEST}}}", name) for name in wire.values())


@given(st.lists(st.from_regex(r"[a-zA-Z0-9_-]{1,128}", fullmatch=True), unique=True), NAMES)
def test_a_legal_name_stays_whatever_stands_beside_it(legal: list[str], other: str) -> None:
    wire = wire_names([other, *legal])
    assert [wire[name] for name in legal] == legal


def test_names_are_cleaned_readably() -> None:
    wire = wire_names(["calendar.list", "Dockerfile problems scanner", "mcp__x__y"])
    assert list(wire.values()) == ["calendar_list", "Dockerfile_problems_scanner", "mcp__x__y"]


def test_a_long_name_does_not_depend_on_the_others() -> None:
    long = "n" * 140
    assert wire_names([long, "Read"])[long] == wire_names(["x", long])[long]
    assert wire_names([long])[long] != wire_names(["n" * 139])["n" * 139]
