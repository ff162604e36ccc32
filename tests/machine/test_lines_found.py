"""Matching lines and lines around them."""

from __future__ import annotations

import re

import pytest

from agent_tui.machine.lines_found import Event, events, matching_lines
from agent_tui.machine.plain_search import Request

TEXT = b"one\ntwo\r\nthree\nfour\nfive"


def found(pattern: str, *, before: int = 0, after: int = 0, multiline: bool = False) -> list[Event]:
    wanted = Request("json", multiline=multiline, before=before, after=after)
    return list(events(TEXT, re.compile(pattern, re.MULTILINE | re.DOTALL), wanted))


def test_a_match_knows_its_place() -> None:
    assert found("o$") == [Event(2, b"two\r\n", True, ((2, 3),))]
    assert found("o")[0].spans == ((0, 1),)


def test_every_line_around_comes_once() -> None:
    numbers = [(event.number, event.is_match) for event in found("one|four", before=2, after=1)]
    assert numbers == [(1, True), (2, False), (3, False), (4, True), (5, False)]


def test_matches_that_touch_the_same_line_are_one() -> None:
    assert found("one.tw|o..thr", multiline=True) == [
        Event(1, b"one\ntwo\r\nthree\n", True, ((0, 6), (6, 12)))
    ]


@pytest.mark.parametrize(
    ("pattern", "multiline", "count"), [("o", False, 3), ("e.", True, 2), ("z", False, 0)]
)
def test_counting(pattern: str, multiline: bool, count: int) -> None:
    wanted = Request("count", multiline=multiline)
    regex = re.compile(pattern, re.DOTALL)
    assert matching_lines(TEXT, regex, wanted, stop_at_first=False) == count
    assert matching_lines(TEXT, regex, wanted, stop_at_first=True) == min(count, 1)
