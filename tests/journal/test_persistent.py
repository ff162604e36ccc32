"""Sequences that grow without changing what others hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.journal.persistent import Log, Names


@given(st.lists(st.tuples(st.integers(0, 30), st.integers())))
def test_every_version_keeps_its_items(steps: list[tuple[int, int]]) -> None:
    versions: list[tuple[Log[int], list[int]]] = [(Log(), [])]
    for which, item in steps:
        log, items = versions[which % len(versions)]
        versions.append((log.plus(item), [*items, item]))
    for log, items in versions:
        assert list(log) == items
        assert len(log) == len(items)
        assert log[:] == items
        assert log[1:3] == items[1:3]
        if items:
            assert (log[0], log[-1]) == (items[0], items[-1])


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9))))
def test_every_set_keeps_its_names(steps: list[tuple[int, int]]) -> None:
    versions: list[tuple[Names[int], set[int]]] = [(Names(), set())]
    for which, item in steps:
        names, items = versions[which % len(versions)]
        versions.append((names.plus(item), items | {item}))
    for names, items in versions:
        assert set(names) == items
        assert len(names) == len(items)
        assert all((n in names) == (n in items) for n in range(10))


def test_a_log_ends_where_its_length_says() -> None:
    short = Log([1])
    long = short.plus(2)
    with pytest.raises(IndexError):
        short[1]
    assert long[1] == 2
    assert short != long
    assert short == Log([1])
