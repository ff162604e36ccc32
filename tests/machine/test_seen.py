"""What the model was shown."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.machine import seen as module
from agent_tui.machine.seen import Memory, merged
from agent_tui.protocol.ports import Seen

RANGES = st.lists(st.tuples(st.integers(1, 20), st.integers(0, 5)).map(lambda r: (r[0], sum(r))))


@given(RANGES)
def test_merged_ranges_hold_the_same_lines_and_do_not_touch(ranges: list[tuple[int, int]]) -> None:
    found = merged(tuple(ranges))
    lines = {n for first, last in ranges for n in range(first, last + 1)}
    assert {n for first, last in found for n in range(first, last + 1)} == lines
    assert all(a[1] + 1 < b[0] for a, b in pairwise(found))


def test_parts_of_the_same_bytes_add_up_and_other_bytes_start_anew() -> None:
    memory = Memory()
    memory.add("/f", Seen("1", 4, ((3, 4),), b"data"))
    memory.add("/f", Seen("1", 4, ((1, 2),)))
    found = memory.get("/f")
    assert found is not None
    assert found.whole
    assert found.data == b"data"
    memory.add("/f", Seen("2", 4, ((1, 1),)))
    assert memory.get("/f") == Seen("2", 4, ((1, 1),))
    assert list(memory.all()) == ["/f"]
    assert memory.get("/g") is None


def test_bytes_are_forgotten_before_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES_OF_ONE", 4)
    monkeypatch.setattr(module, "MAX_BYTES_OF_ALL", 6)
    memory = Memory()
    memory.add("/big", Seen("b", 1, data=b"12345"))
    for name in ("/1", "/2", "/3"):
        memory.add(name, Seen(name, 1, data=b"123"))
    assert [seen.data for seen in memory.all().values()] == [None, None, b"123", b"123"]
    assert [seen.digest for seen in memory.all().values()] == ["b", "/1", "/2", "/3"]
