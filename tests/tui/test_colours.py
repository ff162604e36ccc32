from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agent_tui.settings.paths import Environment
from agent_tui.tui.colours import colour_depth


def never(term: str) -> int:
    raise AssertionError(f"the terminal database was asked about {term!r}")


@pytest.mark.parametrize(
    ("variables", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "24bit"),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "24bit"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm-direct"}, "24bit"),
        ({"TERM": "xterm"}, "sixteen"),
        ({"TERM": "linux"}, "sixteen"),
        ({"TERM": "vt220"}, "none"),
        ({}, "sixteen"),
        # names that tell it where COLORTERM was lost, as through ssh
        ({"TERM": "xterm-kitty"}, "24bit"),
        ({"TERM": "xterm-ghostty"}, "24bit"),
        ({"TERM": "alacritty"}, "24bit"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "24bit"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, "256"),
        # tmux takes 24 bits and shows what the terminal can; GNU screen can't
        ({"TERM": "tmux-256color", "TMUX": "/t,1,0", "COLORTERM": "truecolor"}, "24bit"),
        ({"TERM": "screen-256color", "TMUX": "/t,1,0", "COLORTERM": "truecolor"}, "24bit"),
        ({"TERM": "screen-256color", "TMUX": "/t,1,0", "KITTY_WINDOW_ID": "1"}, "256"),
        ({"TERM": "screen.xterm-256color", "STY": "1.a", "COLORTERM": "truecolor"}, "256"),
        ({"TERM": "screen", "STY": "1.a", "COLORTERM": "truecolor"}, "sixteen"),
        # what the person says comes first
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "256"),
        ({"TERM": "xterm-kitty", "FORCE_COLOR": "2"}, "256"),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "3"}, "24bit"),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "0"}, "none"),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "1"}, "256"),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "3", "NO_COLOR": "1"}, "none"),
    ],
)
def test_u11_as_many_colours_as_the_terminal_shows(variables: dict[str, str], depth: str) -> None:
    assert colour_depth(Environment(variables, Path("/")), never) == depth


@pytest.mark.parametrize(
    ("count", "forced", "depth"),
    [
        (0, "", "none"),
        (0, "1", "sixteen"),
        (8, "", "sixteen"),
        (16, "", "sixteen"),
        (88, "", "sixteen"),
        (256, "", "256"),
        (1 << 24, "", "24bit"),
        (-1, "", "sixteen"),
    ],
)
def test_else_the_terminal_database_is_asked(count: int, forced: str, depth: str) -> None:
    env = Environment({"TERM": "hpterm", "FORCE_COLOR": forced}, Path("/"))
    assert colour_depth(env, lambda term: count if term == "hpterm" else -1) == depth


@pytest.mark.parametrize(("term", "counts"), [("no-such-terminal", {-1}), ("hp2392", {0, -1})])
def test_the_terminal_database_owns_up_to_what_it_does_not_know(
    term: str, counts: set[int]
) -> None:
    code = f"from agent_tui.tui.colours import terminfo_colours; print(terminfo_colours({term!r}))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(said.stdout) in counts  # -1 also where the machine has no database
