"""Text without halves of characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.journal.wellformed import well_formed, well_formed_json


@given(st.text(st.characters(), max_size=30))
def test_p6_the_result_is_always_utf8_and_good_text_stays(text: str) -> None:
    made = well_formed(text)
    assert made.encode("utf-8").decode("utf-8") == made
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert made == text


def test_p6_halves_that_belong_together_are_joined_and_others_replaced() -> None:
    assert well_formed("\ud83d\ude00") == "😀"
    assert well_formed("a\ud83d") == "a\ufffd"
    assert well_formed("\udcff.txt") == "\ufffd.txt"


def test_p6_json_is_cleaned_in_every_corner() -> None:
    dirty = {"\udcff": ["\ud83d\ude00", {"k": "\ud83d"}], "n": 1, "none": None}
    assert well_formed_json(dirty) == {"\ufffd": ["😀", {"k": "\ufffd"}], "n": 1, "none": None}
