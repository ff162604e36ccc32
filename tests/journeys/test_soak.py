"""A hundred prompts with calls and two megabytes of text in one session; ``bench/soak.py`` has the long one."""

from __future__ import annotations

import pytest

from bench.room import room
from bench.soak import soak


@pytest.mark.timeout(600)
def test_a_long_session_leaves_no_complaint_and_grows_little() -> None:
    with room() as where:
        seen = soak(where, 100, 2_000_000, looks=10)
    assert seen.complaints == []
    assert seen.prompts == list(range(10, 101, 10))
    assert seen.growth(seen.screen) < 1.5, seen.screen
    assert seen.growth(seen.whole) < 1.5, seen.whole
    assert len(seen.first_keys) == len(seen.last_keys)
