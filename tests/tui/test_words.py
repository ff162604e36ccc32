from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tui.words import changed_words


def marked(text: str, stretches: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in stretches]


@pytest.mark.parametrize(
    ("old", "new", "gone", "came"),
    [
        (
            "    if self._token is None:",
            "    if self.expired(early=30):",
            ["_token is None"],
            ["expired(early=30)"],
        ),
        (
            "def f(client: Client) -> None:",
            "def f(client: Client, early: float = 30) -> None:",
            [],
            [", early: float = 30"],
        ),
        ("one two three", "four five six", [], []),
        ("same", "same", [], []),
        ("", "new", [], []),
        ("x = '" + "a" * 600 + "b'", "x = '" + "a" * 600 + "c'", ["b"], ["c"]),
        ("a" * 700, "b" * 700, [], []),
    ],
)
def test_only_what_differs_is_marked(old: str, new: str, gone: list[str], came: list[str]) -> None:
    found = changed_words(old, new)
    assert marked(old, found[0]) == gone
    assert marked(new, found[1]) == came


@given(st.text("ab( ._", max_size=20), st.text("ab( ._", max_size=20))
def test_without_the_marked_words_both_lines_are_the_same_or_nothing_is_marked(
    old: str, new: str
) -> None:
    gone, came = changed_words(old, new)
    for text, stretches in ((old, gone), (new, came)):
        assert all(0 <= start < end <= len(text) for start, end in stretches)
        assert sorted(stretches) == stretches
