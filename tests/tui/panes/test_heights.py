from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.panes.heights import Heights

LISTS = st.lists(st.integers(0, 9), max_size=40)
STEPS = st.lists(
    st.tuples(st.sampled_from(["append", "pop", "set"]), st.integers(0, 9), st.integers(0, 60))
)


@given(LISTS, STEPS)
def test_it_agrees_with_a_plain_list(start: list[int], steps: list[tuple[str, int, int]]) -> None:
    plain = list(start)
    heights = Heights(start)
    for what, height, at in steps:
        if what == "append":
            plain.append(height)
            heights.append(height)
        elif what == "pop" and plain:
            plain.pop()
            heights.pop()
        elif what == "set" and plain:
            plain[at % len(plain)] = height
            heights[at % len(plain)] = height
    assert len(heights) == len(plain) and heights.total == sum(plain)
    for index in range(len(plain)):
        assert heights[index] == plain[index]
        assert heights.before(index) == sum(plain[:index])
    rows = [(index, row) for index, height in enumerate(plain) for row in range(height)]
    for number, found in enumerate(rows):
        assert heights.find(number) == found


def test_beyond_the_end_is_the_last_row() -> None:
    assert Heights([2, 3]).find(99) == (1, 2)
    assert Heights().find(5) == (0, 0)
