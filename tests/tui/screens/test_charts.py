from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.lines import spans_width
from agent_tui.tui.screens.charts import Slice, filled, share, stacked, thin_bar
from tests.tui.look import THEMES, page


@given(
    st.lists(st.integers(0, 100_000), max_size=8),
    st.integers(1, 200_000),
    st.integers(10, 150),
    st.integers(0, 250_000),
)
def test_a_bar_is_always_as_wide_as_it_is_to_be(
    sizes: list[int], whole: int, width: int, mark: int
) -> None:
    slices = [Slice("x", "accent", size) for size in sizes]
    assert spans_width(stacked(page(), slices, whole, width, mark)) == width


def test_each_part_has_a_cell_with_its_letter_and_the_mark_stands_in_what_is_free() -> None:
    slices = [Slice("S", "special", 1), Slice("T", "accent", 50_000), Slice("R", "warning", 0)]
    spans = stacked(page(), slices, 200_000, 100, 160_000)
    text = "".join(span for span, _ in spans)
    assert text.startswith("ST") and "R" not in text
    assert text.index("│") == 80


def test_a_mark_that_is_passed_is_not_drawn_over() -> None:
    spans = stacked(page(), [Slice("T", "accent", 190_000)], 200_000, 100, 160_000)
    assert "│" not in "".join(span for span, _ in spans)


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_u11_a_letter_is_the_page_s_colour_on_the_hue_and_told_without_colour(theme: str) -> None:
    _, style = filled(page(theme=theme), "S", "special")
    assert style.reverse and style.bold


def test_thin_bars_are_as_long_as_their_share_and_never_empty_for_something() -> None:
    assert len(thin_bar(page(), 50, 100, 20, "accent")[0]) == 10
    assert len(thin_bar(page(), 0.001, 100, 20, "accent")[0]) == 1
    assert thin_bar(page(), 0, 100, 20, "accent")[0] == ""
    assert thin_bar(page(), 0, 0, 20, "accent")[0] == ""
    assert share(1, 3) == "33.3%" and share(1, 0) == "0.0%"
