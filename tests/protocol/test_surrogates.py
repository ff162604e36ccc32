from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.protocol.surrogates import mended


def test_halves_that_meet_are_joined() -> None:
    assert mended("a\ud83d\ude00b") == "a😀b"


def test_a_half_alone_is_replaced() -> None:
    assert mended("a\ud83d b\ude00") == "a\ufffd b\ufffd"


@settings(deadline=None)
@given(st.text())
def test_whole_text_stays_as_it_is(text: str) -> None:
    assert mended(text) == text
