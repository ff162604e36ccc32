from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.panes.thinbar import ThinBar


def test_there_is_none_when_all_is_in_sight() -> None:
    assert not ThinBar.of(10, 10, 0, at_end=True)
    assert not ThinBar.of(0, 0, 0, at_end=True)
    assert 0 not in ThinBar.of(3, 10, 0, at_end=True)


def test_it_is_at_the_end_only_when_the_end_is_in_sight() -> None:
    assert ThinBar.of(100, 10, 90, at_end=True).end == 10
    assert ThinBar.of(100, 10, 0, at_end=False) == ThinBar(0, 1, 10, 100)
    assert ThinBar.of(100, 10, 45, at_end=False).rows() == {4} or ThinBar.of(
        100, 10, 45, at_end=False
    ).rows() == {5}


def test_where_a_drag_leads() -> None:
    bar = ThinBar.of(110, 10, 0, at_end=False)
    assert bar.leads_to(0, bar.grip(0)) == 0
    assert bar.leads_to(9, bar.grip(0)) is None
    assert bar.leads_to(-5, 0) == 0
    assert bar.leads_to(3, 0) == 33


@given(st.integers(1, 50), st.integers(0, 10_000), st.integers(0, 10_000))
def test_it_never_leaves_the_view(height: int, more: int, top: int) -> None:
    bar = ThinBar.of(height + more, height, min(top, more), at_end=top >= more)
    assert 0 <= bar.start <= bar.end <= height
    assert bool(bar) == (more > 0)
