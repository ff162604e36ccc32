from __future__ import annotations

import base64

from agent_tui.tui.copied import COMMON, MAX_ENCODED, note, sequences
from agent_tui.tui.surroundings import Surroundings

BARE = Surroundings("kitty", "", "xterm-kitty")
TMUX = Surroundings("kitty", "tmux", "tmux-256color")
SCREEN = Surroundings("unknown", "screen", "screen")


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_a_text_goes_to_the_terminal_as_it_is_and_cut_nowhere() -> None:
    text = "if x:\n    y  \n\u00e9 \U0001f600" * 100
    assert list(sequences(text, BARE)) == [f"\x1b]52;c;{encoded(text)}\x07"]


def test_through_tmux_it_goes_both_ways_since_either_may_be_switched_off() -> None:
    plain, wrapped = sequences("hi", TMUX)
    assert plain == "\x1b]52;c;aGk=\x07"
    assert wrapped == "\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\"


def test_through_screen_it_goes_in_pieces_that_it_takes() -> None:
    plain, *pieces = sequences("x" * 1000, SCREEN)
    assert all(piece.startswith("\x1bP") and piece.endswith("\x1b\\") for piece in pieces)
    assert all(len(piece) <= 768 for piece in pieces)
    assert "".join(piece[2:-2] for piece in pieces) == plain


def test_it_can_be_switched_off_or_kept_plain() -> None:
    assert list(sequences("hi", BARE, "off")) == []
    assert list(sequences("hi", TMUX, "osc52")) == ["\x1b]52;c;aGk=\x07"]
    assert "off" in note("hi", "off")


def test_what_no_terminal_takes_is_held_back_and_said() -> None:
    long = "x" * MAX_ENCODED
    assert list(sequences(long, BARE)) == []
    assert "not copied" in note(long)
    assert "some terminals" in note("x" * (COMMON + 1))
    assert note("x") == ""


def test_half_a_character_does_not_stop_a_copy() -> None:
    assert list(sequences("a\ud83d", BARE)) == [f"\x1b]52;c;{encoded('a?')}\x07"]
