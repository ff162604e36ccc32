from __future__ import annotations

import pytest

from agent_tui.view import figures


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0"), (812, "812"), (8100, "8.1k"), (99_940, "99.9k"), (99_960, "100k"), (118_000, "118k"),
     (999_600, "1.0M"), (1_230_000, "1.2M")],
)  # fmt: skip
def test_tokens(count: int, said: str) -> None:
    assert figures.tokens(count) == said


@pytest.mark.parametrize(
    ("usd", "said"),
    [(None, "$?"), (0, "$0"), (0.0312, "$0.0312"), (1.5, "$1.50"), (12.345, "$12.35")],
)
def test_money(usd: float | None, said: str) -> None:
    assert figures.money(usd) == said


def test_money_in_lists_has_two_digits() -> None:
    assert figures.money(0.4149, digits=2) == "$0.41"


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0:00"), (42.9, "0:42"), (67, "1:07"), (3723, "1:02:03")]
)
def test_clock(seconds: float, said: str) -> None:
    assert figures.clock(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(5, "now"), (300, "5 min"), (7300, "2 h"), (90_000, "1 d"), (22 * 86400, "3 wk"), (70 * 86400, "2 mo"),
     (800 * 86400, "2 y")],
)  # fmt: skip
def test_age(seconds: float, said: str) -> None:
    assert figures.age(seconds) == said


def test_window_limit_and_size() -> None:
    assert [figures.window(n) for n in (500, 200_000, 1_000_000)] == ["500", "200k", "1M"]
    assert [figures.limit(x) for x in (5.0, 2.5)] == ["$5", "$2.50"]
    assert [figures.size(n) for n in (12, 34_000, 1_900_000)] == ["12 B", "34 kB", "1.9 MB"]
