from __future__ import annotations

import pytest

from agent_tui.protocol.requests import GrantLimit
from agent_tui.tui.panels.lasting import KINDS, Kind, Lasting


@pytest.mark.parametrize(
    ("kind", "label", "words", "limit"),
    [
        ("session", "This session", " until you leave", None),
        ("task", "This task", " until this prompt has its result", GrantLimit(task=True)),
        ("calls", "5 more calls", " now and 5 more times", GrantLimit(calls=5)),
        ("minutes", "10 minutes", " for 10 minutes", GrantLimit(minutes=10)),
    ],
)
def test_what_goes_out_is_what_is_said(
    kind: Kind, label: str, words: str, limit: GrantLimit | None
) -> None:
    lasting = Lasting(kind)
    assert (lasting.label(), lasting.words(), lasting.limit()) == (label, words, limit)


def test_the_arrows_go_round() -> None:
    lasting = Lasting()
    seen: list[Kind] = []
    for _ in KINDS:
        seen.append(lasting.kind)
        lasting.move(1)
    assert tuple(seen) == KINDS
    lasting.move(-1)
    assert lasting.kind == "minutes"


def test_a_number_is_typed_anew_and_corrected() -> None:
    lasting = Lasting("calls")
    for char in "1234":
        assert lasting.digit(char)
    assert lasting.number == 123
    assert lasting.erase()
    assert lasting.label() == "12 more calls"
    lasting.move(1)
    lasting.move(-1)
    lasting.digit("7")
    assert lasting.number == 7


def test_no_number_is_one() -> None:
    lasting = Lasting("minutes")
    lasting.digit("0")
    assert (lasting.limit(), lasting.label()) == (GrantLimit(minutes=1), "1 minute")
    lasting.digit("3")
    assert lasting.number == 3


@pytest.mark.parametrize("char", ["x", "²", "٣", "-", ""])
def test_only_digits_are_digits(char: str) -> None:
    assert not Lasting("calls").digit(char)
    assert not Lasting("task").digit("5")
    assert not Lasting("session").erase()
