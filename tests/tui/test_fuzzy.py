from __future__ import annotations

import pytest

from agent_tui.tui.fuzzy import fit


@pytest.mark.parametrize(
    ("text", "wanted", "matched"),
    [
        ("compact", "", ()),
        ("compact", "COM", (0, 1, 2)),
        ("next permission mode", "pm", (5, 16)),
        ("/add-dir", "ad", (1, 2)),
        ("/add-dir", "dir", (5, 6, 7)),
        ("walk through", "walk th", (0, 1, 2, 3, 5, 6)),
        ("STRAßE", "asse", ()),
    ],
)
def test_what_fits(text: str, wanted: str, matched: tuple[int, ...]) -> None:
    found = fit(text, wanted)
    if wanted == "asse":
        assert found is None
    else:
        assert found is not None
        assert found.matched == matched


def test_what_does_not_fit() -> None:
    assert fit("compact", "tc") is None
    assert fit("", "a") is None


@pytest.mark.parametrize(
    ("wanted", "order"),
    [
        ("co", ["compact", "context", "cycle mode", "doctor"]),
        ("mode", ["model", "next mode", "move on the edge"]),
    ],
)
def test_beginnings_come_before_middles_and_those_before_scattered_letters(
    wanted: str, order: list[str]
) -> None:
    scores = [found.score for text in order if (found := fit(text, wanted)) is not None]
    assert len(scores) == len(order)
    assert scores == sorted(scores, reverse=True)
