from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.settings.paths import Environment
from agent_tui.tui.surroundings import Surroundings


@pytest.mark.parametrize(
    ("variables", "program", "inside", "titled"),
    [
        ({"TERM": "xterm-kitty"}, "kitty", "", True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "wezterm", "", True),
        ({"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"}, "iterm", "", True),
        ({"TERM": "foot"}, "foot", "", True),
        ({"TERM": "xterm-256color"}, "unknown", "", True),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/t,1,0", "KITTY_WINDOW_ID": "3"}, "kitty", "tmux", True),
        ({"TERM": "tmux-256color"}, "unknown", "tmux", True),  # through ssh: TMUX stays behind
        ({"TERM": "screen.xterm-256color", "STY": "9.pts"}, "unknown", "screen", True),
        ({"TERM": "screen.xterm", "STY": "9.pts", "TMUX": "/tmp/t,1,0"}, "unknown", "screen", True),
        ({"TERM": "linux"}, "linux", "", False),
        ({"TERM": "vt220"}, "unknown", "", False),
        ({}, "unknown", "", False),
    ],
)  # fmt: skip
def test_the_terminal_is_told_by_its_variables(
    variables: dict[str, str], program: str, inside: str, titled: bool
) -> None:
    around = Surroundings.of(Environment(variables, Path("/")))
    assert (around.program, around.inside, around.has_title) == (program, inside, titled)


def test_a_sequence_is_wrapped_for_what_stands_between() -> None:
    sequence = "\x1b]9;done\x07"
    assert Surroundings().pass_through(sequence) == (sequence,)
    assert Surroundings(inside="tmux").pass_through(sequence) == (
        "\x1bPtmux;\x1b\x1b]9;done\x07\x1b\\",
    )
    assert Surroundings(inside="screen").pass_through(sequence) == ("\x1bP\x1b]9;done\x07\x1b\\",)


def test_gnu_screen_gets_pieces_it_can_hold_and_no_escape_is_torn_off() -> None:
    sequence = "\x1b]9;" + "é" * 600 + "\x1b\\"
    pieces = Surroundings(inside="screen").pass_through(sequence)
    bodies = [piece.removeprefix("\x1bP").removesuffix("\x1b\\") for piece in pieces]
    assert "".join(bodies) == sequence
    assert all(len(body.encode()) <= 258 for body in bodies)
    assert not any(body.endswith("\x1b") for body in bodies)
